// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DEMAND_METER_H
#define ODCN_DEMAND_METER_H

#include "ns3/object.h"
#include "ns3/odcn-demand-matrix.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Estimates the demand between racks from the counters that ToR switches report once an epoch:
 *
 *     demand := Smoothing x Quantity + (1 - Smoothing) x demand
 *
 * The first report is taken as it is. An average alone would never return to zero: an estimate
 * below a billionth of the largest entry that was reported since Reset() is 0.
 */
class DemandMeter : public Object
{
  public:
    /// What is measured.
    enum Quantity
    {
        OFFERED, //!< bytes that servers have sent to the other rack since the last report
        HELD,    //!< bytes that wait for a circuit to the other rack now
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    DemandMeter();

    /**
     * @param offered by pair of racks, since the last report
     * @param held by pair of racks, at the time of the report, in the same unit
     * @throws OdcnError when a matrix is invalid, or their sizes differ from each other or from
     * earlier ones
     */
    void Report(const DemandMatrix& offered, const DemandMatrix& held);

    /// @return what is measured
    Quantity GetQuantity() const
    {
        return m_quantity;
    }

    /// @return the present estimate, in the unit of the reports; of 0 racks before the first report
    const DemandMatrix& GetDemand() const
    {
        return m_demand;
    }

    /// Forget all reports.
    void Reset();

  private:
    Quantity m_quantity;   //!< what is measured
    double m_smoothing;    //!< weight of a new report
    double m_largest{0};   //!< largest entry of all reports
    DemandMatrix m_demand; //!< the estimate
};

} // namespace ns3::odcn

#endif /* ODCN_DEMAND_METER_H */
