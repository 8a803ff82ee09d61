// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SWITCH_FLOW_LEVEL_H
#define ODCN_SWITCH_FLOW_LEVEL_H

#include "odcn-flow-level.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The flow level of a switch that never limits traffic, with one port for each end point: messages
 * share the ports of their senders and of their receivers.
 */
class SwitchFlowLevel : public FlowLevel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Set the end points, before the first message.
     * @param endPoints their number
     * @throws OdcnError when there are fewer than 2, or there are some already
     */
    void SetNEndPoints(uint32_t endPoints);

    uint32_t GetNEndPoints() const override
    {
        return m_endPoints;
    }

  protected:
    void DoDispose() override;
    void FindPath(const Message& message, Path& path) override;

  private:
    DataRate m_rate;         //!< Rate
    Time m_latency;          //!< Latency
    uint32_t m_endPoints{0}; //!< number of end points
};

} // namespace ns3::odcn

#endif /* ODCN_SWITCH_FLOW_LEVEL_H */
