// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_CIRCUIT_FOLLOWER_H
#define OCS_CIRCUIT_FOLLOWER_H

#include "ocs-fabric.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <vector>

namespace ns3::odcn
{

/// Circuits that change at a time.
struct OcsCircuitBatch
{
    Time time;                        //!< of the command, from the start of the simulation
    std::vector<OcsCircuit> circuits; //!< the new circuits, see OcsFabric::Apply()
};

/**
 * @ingroup odcn
 *
 * Lets a fabric follow the circuits that a controller has granted over time.
 *
 * A command reaches all switches without delay. ToR switches stop using the circuits that change;
 * after Drain, which lets packets on the way to the optical switches pass, the optical switches
 * reconfigure them, and ToR switches use them after the dark time. So the circuits of the fabric
 * are those granted, Drain later.
 *
 * A circuit that is changed twice within less than Drain plus its dark time may lose packets that
 * were sent in between.
 *
 * A follower that runs is held by its events, so nobody else needs to keep it. Dispose() ends it.
 */
class OcsCircuitFollower : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Follow circuits from now on.
     *
     * @param fabric a fabric
     * @param initial circuits that are up at once
     * @param batches changes, by time, none in the past
     * @throws OdcnError when the times are not in order, or at the second call
     */
    void Start(Ptr<OcsFabric> fabric,
               const std::vector<OcsCircuit>& initial,
               const std::vector<OcsCircuitBatch>& batches);

  protected:
    void DoDispose() override;

  private:
    /// ToR switches stop using circuits. @param circuits the new ones
    void Clear(const std::vector<OcsCircuit>& circuits);

    /// Optical switches reconfigure circuits. @param circuits the new ones
    void Apply(const std::vector<OcsCircuit>& circuits);

    Ptr<OcsFabric> m_fabric; //!< the fabric
    Time m_drain;            //!< Drain
};

} // namespace ns3::odcn

#endif /* OCS_CIRCUIT_FOLLOWER_H */
