// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-rack-features.h"
#include "odcn-scheduling.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-rule.h"

#include <algorithm>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Computing capacity first (CCF), baseline of the ODCN paper, section 5.B: the rack with most
 * residual cores, kept for the job's VMs until one no longer fits, then chosen anew among the racks
 * where it fits. Bandwidth is ignored. On a fixed interconnect it is ALL2ALL-CCF, else ODCN-CCF.
 */
class OdcnCcfPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;
};

NS_OBJECT_ENSURE_REGISTERED(OdcnCcfPolicy);

TypeId
OdcnCcfPolicy::GetTypeId()
{
    static TypeId tid = TypeIdOf<OdcnCcfPolicy, DecisionPolicy>("ns3::odcn::OdcnCcfPolicy");
    return tid;
}

uint32_t
OdcnCcfPolicy::Decide(const DecisionProblem& problem)
{
    const auto& scheduling = AsProblem<OdcnScheduling>(problem);
    const OdcnComputeLedger& servers = scheduling.GetManager()->GetServers();
    const auto fits = [&](RackId rack)
    { return servers.Find(rack, scheduling.GetVm()) != NO_SERVER; };
    const RackId last = scheduling.GetLastRack();
    if (last != NO_RACK && fits(last))
    {
        return last;
    }
    return OrAny(FindBestAction(
        servers.GetNRacks(),
        fits,
        [&](RackId rack) { return static_cast<double>(servers.GetRackFree(rack).milli[0]); }));
}

/**
 * @ingroup odcn
 *
 * The fullest rack (least residual fraction of its scarcest resource) among those that have a
 * server for the VM and direct bandwidth to the job's other VMs; it uses only the paper's state. If
 * no rack has both, the fullest with a server. The first teacher of the agents.
 */
class OdcnBestFitPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;
};

NS_OBJECT_ENSURE_REGISTERED(OdcnBestFitPolicy);

TypeId
OdcnBestFitPolicy::GetTypeId()
{
    static TypeId tid = TypeIdOf<OdcnBestFitPolicy, DecisionPolicy>("ns3::odcn::OdcnBestFitPolicy");
    return tid;
}

uint32_t
OdcnBestFitPolicy::Decide(const DecisionProblem& problem)
{
    const auto& scheduling = AsProblem<OdcnScheduling>(problem);
    RackId best = NO_RACK;
    OdcnRackViews::View least;
    for (RackId rack = 0; rack < scheduling.GetManager()->GetServers().GetNRacks(); ++rack)
    {
        const auto view = scheduling.GetViews().Get(rack);
        if (view.compute < 0)
        {
            continue;
        }
        if (best == NO_RACK || (view.Feasible() && !least.Feasible()) ||
            (view.Feasible() == least.Feasible() && view.compute < least.compute))
        {
            best = rack;
            least = view;
        }
    }
    return OrAny(best);
}

/**
 * @ingroup odcn
 *
 * Our packing rule: large VMs stay in the job's current rack while it has a server and direct
 * bandwidth; otherwise they go to the fullest rack that has both, weighted against the bandwidth
 * left. Small VMs go first to racks that can take no large one, to keep space for large VMs. If no
 * rack has bandwidth, the same choice is made among the racks that have a server.
 */
class OdcnPackingPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    double m_largeCores;      //!< cores from which a VM is large
    double m_bandwidthWeight; //!< weight of the bandwidth left against the cores left
};

NS_OBJECT_ENSURE_REGISTERED(OdcnPackingPolicy);

TypeId
OdcnPackingPolicy::GetTypeId()
{
    using T = OdcnPackingPolicy;
    static TypeId tid =
        TypeIdOf<OdcnPackingPolicy, DecisionPolicy>("ns3::odcn::OdcnPackingPolicy")
            .Add(Attribute("LargeCores", &T::m_largeCores, 16, 0),
                 "Number of cores from which a VM is large.")
            .Add(Attribute("BandwidthWeight", &T::m_bandwidthWeight, 3, 0),
                 "Weight of a rack's residual bandwidth fraction against its residual core "
                 "fraction; 0 packs by cores alone, larger values spread the traffic.");
    return tid;
}

uint32_t
OdcnPackingPolicy::Decide(const DecisionProblem& problem)
{
    const auto& scheduling = AsProblem<OdcnScheduling>(problem);
    const OdcnComputeLedger& servers = scheduling.GetManager()->GetServers();
    const OdcnResources& vm = scheduling.GetVm();
    const auto fits = [&](RackId rack) { return servers.Find(rack, vm) != NO_SERVER; };
    const auto feasible = [&](RackId rack)
    { return fits(rack) && scheduling.GetViews().GetBandwidth(rack) >= 0; };
    const auto score = [&](RackId rack)
    {
        const auto capacity = static_cast<double>(servers.GetRackCapacity(rack).milli[0]);
        return m_bandwidthWeight * std::max(0.0F, scheduling.GetViews().GetBandwidth(rack)) -
               static_cast<double>(servers.GetRackFree(rack).milli[0]) / capacity;
    };
    RackId best = NO_RACK;
    if (vm.Cores() >= m_largeCores)
    {
        const RackId last = scheduling.GetLastRack();
        if (last != NO_RACK && feasible(last))
        {
            return last;
        }
    }
    else
    {
        const OdcnResources large = OdcnResources::Of(m_largeCores, 0, 0);
        best = FindBestAction(
            servers.GetNRacks(),
            [&](RackId rack) { return feasible(rack) && servers.Find(rack, large) == NO_SERVER; },
            score);
    }
    if (best == NO_RACK)
    {
        best = FindBestAction(servers.GetNRacks(), feasible, score);
    }
    return best != NO_RACK ? best : OrAny(FindBestAction(servers.GetNRacks(), fits, score));
}

/**
 * @ingroup odcn
 *
 * Our strongest rule: the rack with the largest score among those with a server and direct
 * bandwidth; the score is a weighted sum of OdcnRackFeatures. It packs like OdcnPackingPolicy, but
 * weighs what that rule only orders: the slots that a small VM spoils, the racks of the job's other
 * VMs, and the backlog that the traffic adds to the queues. A VM is large if it is not smaller than
 * the last of the problem's SlotVms.
 *
 * score = - free cores - RackLoadWeight x rack load - BacklogWeight x backlog
 *         + KeptWeight x kept - HardWeight x hard slots lost (not for the hardest VMs)
 *         + (large VMs) StayWeight x last + RoomWeight x room
 *         + (small VMs) FillWeight x no large slot - LostWeight x large slots lost
 *
 * If no rack has bandwidth, a rack without a server is taken if there is one: the job is refused
 * rather than served after a reconfiguration.
 */
class OdcnScorePolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    double m_rackLoad;           //!< RackLoadWeight
    double m_backlog;            //!< BacklogWeight
    double m_kept;               //!< KeptWeight
    double m_hard;               //!< HardWeight
    double m_stay;               //!< StayWeight
    double m_room;               //!< RoomWeight
    double m_fill;               //!< FillWeight
    double m_lost;               //!< LostWeight
    OdcnRackFeatures m_features; //!< computes the features
};

NS_OBJECT_ENSURE_REGISTERED(OdcnScorePolicy);

TypeId
OdcnScorePolicy::GetTypeId()
{
    using T = OdcnScorePolicy;
    static TypeId tid = TypeIdOf<OdcnScorePolicy, DecisionPolicy>("ns3::odcn::OdcnScorePolicy")
                            .Add(Attribute("RackLoadWeight", &T::m_rackLoad, 0.2),
                                 "Weight against the largest load of a circuit of the rack.")
                            .Add(Attribute("BacklogWeight", &T::m_backlog, 1.2),
                                 "Weight against packets that the VM's traffic adds to the queues.")
                            .Add(Attribute("KeptWeight", &T::m_kept, 0.14),
                                 "Weight of demands that stay within the rack.")
                            .Add(Attribute("HardWeight", &T::m_hard, 0.26),
                                 "Weight against slots of the hardest VMs lost to other VMs.")
                            .Add(Attribute("StayWeight", &T::m_stay, 0.36),
                                 "Weight of the rack of the previous VM, if the VM is large.")
                            .Add(Attribute("RoomWeight", &T::m_room, 0.39),
                                 "Weight of room for the job's large VMs, if the VM is large.")
                            .Add(Attribute("FillWeight", &T::m_fill, 0.95),
                                 "Weight of racks that can take no large VM, if the VM is small.")
                            .Add(Attribute("LostWeight", &T::m_lost, 0.9),
                                 "Weight against slots of large VMs lost to a small VM.");
    return tid;
}

uint32_t
OdcnScorePolicy::Decide(const DecisionProblem& problem)
{
    using F = OdcnRackFeatures;
    const auto& scheduling = AsProblem<OdcnScheduling>(problem);
    const uint32_t size = F::GetClass(scheduling);
    const bool large = size < scheduling.GetManager()->GetServers().GetSlotKinds().size();
    m_features.Begin(scheduling);
    RackId best = NO_RACK;
    double most = 0;
    RackId without = NO_RACK;
    F::Row row;
    for (RackId rack = 0; rack < scheduling.GetManager()->GetServers().GetNRacks(); ++rack)
    {
        m_features.Describe(scheduling, rack, row);
        if (row[F::MARKER] < 0)
        {
            without = row[F::MARKER] < -1 && without == NO_RACK ? rack : without;
            continue;
        }
        double score = m_kept * row[F::KEPT] - row[F::FREE_CORES] - m_rackLoad * row[F::RACK_LOAD] -
                       m_backlog * row[F::BACKLOG];
        score -= size > 0 ? m_hard * row[F::HARD_LOST] : 0.0;
        score += large ? m_stay * row[F::LAST] + m_room * row[F::ROOM]
                       : m_fill * row[F::NO_LARGE] - m_lost * row[F::LARGE_LOST];
        if (best == NO_RACK || score > most)
        {
            best = rack;
            most = score;
        }
    }
    return OrAny(best == NO_RACK ? without : best);
}

namespace
{

/// The policies with a short name.
const PolicyRegistration ODCN_POLICIES{
    "ns3::odcn::OdcnScheduling",
    {{"all2all-ccf",
      "computing capacity first on a fixed all-to-all interconnect",
      "ns3::odcn::OdcnCcfPolicy",
      {{"Reconfigurable", "false"}}},
     {"odcn-ccf", "computing capacity first", "ns3::odcn::OdcnCcfPolicy", {}},
     {"odcn-jcb", "joint computing and bandwidth", "ns3::odcn::OdcnJcbPolicy", {}},
     {"random", "any feasible rack", "ns3::odcn::RandomPolicy", {}},
     {"first-fit", "first feasible rack", "ns3::odcn::FirstFitPolicy", {}},
     {"untrained", "network with random parameters", "ns3::odcn::AgentPolicy[Untrained=Mlp]", {}},
     {"odcn-best-fit", "fullest rack that fits", "ns3::odcn::OdcnBestFitPolicy", {}},
     {"odcn-packing", "few racks, little bandwidth", "ns3::odcn::OdcnPackingPolicy", {}},
     {"odcn-score", "slots kept for large VMs", "ns3::odcn::OdcnScorePolicy", {}},
     {"linear", "weighted sum of rack features", "ns3::odcn::LinearPolicy", {}},
     {"imitation",
      "one network that imitates the best policy of each pattern",
      "ns3::odcn::AgentPolicy",
      {}},
     {"evolved",
      "evolved sums and a gate, or the network of --checkpoint",
      "ns3::odcn::AgentPolicy",
      {}},
     {"lookahead",
      "evolved, with each job tried on a copy first",
      "ns3::odcn::LookaheadPolicy[Policy=evolved]",
      {}},
     {"hindsight",
      "best placements found for jobs that are known",
      "ns3::odcn::HindsightSearch[Objective=blocking|Start=odcn-score]",
      {}},
     // The paper has no mask, neither while learning nor later.
     {"drl-paper", "the paper's A2C and 5x128", "ns3::odcn::AgentPolicy[UseMask=false]", {}}}};

} // namespace

} // namespace ns3::odcn
