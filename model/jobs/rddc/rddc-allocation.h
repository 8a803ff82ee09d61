// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_ALLOCATION_H
#define RDDC_ALLOCATION_H

#include "rddc-manager.h"
#include "rddc-placement-features.h"
#include "rddc-request.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-decision-problem.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Allocation of servers and lightpaths to requests as a decision problem (section 4.A of the NARA
 * paper): one decision per server, until the request is granted or refused.
 *
 * The observation is a graph (GetGraph()) of all servers and switches. Node features: for CPU and
 * memory sigmoid(free / still needed - 1), 1 if nothing more is needed, and whether the server is
 * chosen; all 0 at switches. Link feature: free channels / the largest capacity of a link.
 * Global features: share of CPU in use, share of memory in use, holding time / HoldingScale. With
 * State=Placement a node has the RddcPlacementFeatures instead.
 *
 * Reward: RewardGranted or RewardRefused for the action that decides a request, 0 for the others.
 * An episode consists of MaxRequests requests.
 */
class RddcAllocation : public DecisionProblem
{
  public:
    /// Which servers Mask() allows.
    enum MaskKind
    {
        USEFUL,    //!< not chosen yet, with something free that is needed
        CONNECTED, //!< the same, with paths to all chosen servers
    };

    /// Features that describe a server.
    enum State
    {
        PAPER,     //!< the three features of the paper
        PLACEMENT, //!< RddcPlacementFeatures
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    RddcAllocation();

    /// @param manager grants requests; used by this problem only
    void SetManager(Ptr<RddcManager> manager);

    /// @param source source of the requests, used by this problem only
    void SetRequestSource(Ptr<RddcRequestSource> source);

    uint32_t GetNActions() const override;
    std::vector<uint32_t> GetObservationShape() const override;
    const GraphObservation* GetGraph() const override;
    /// @return State
    std::vector<std::string> GetFormAttributes() const override;
    /// @return features of a server: those of the paper, or RddcPlacementFeatures
    std::vector<std::string> GetFeatureNames() const override;
    Bounds GetObservationBounds() const override;
    void Observe(float* out) const override;
    void Mask(uint8_t* out) const override;
    void Act(uint32_t action) override;
    void Reset() override;
    int64_t AssignStreams(int64_t stream) override;
    /// @return name of the share of requests that were refused
    std::string GetScoreName() const override;
    void ClearScore() override;

    /// @return whether MaxRequests ended the episode
    bool IsCutShort() const override
    {
        return IsDone() && m_maxRequests > 0 && m_nRequests >= m_maxRequests;
    }

    /// As in the figures of the NARA paper, the acceptance ratio so far and the shares in use are
    /// sampled when the next request has been fetched, and averaged over LastRequests requests.
    /// @return acceptance, shares of CPU, memory and channels in use, servers and racks of a grant
    std::vector<FigureOfMerit> GetFigures() const override;
    std::vector<FigureValue> MeasureFigures() const override;
    /// @return tally of the whole episode
    std::vector<std::string> GetCauses() const override;
    DecisionTally GetTally() const override;
    uint64_t GetNDecided() const override;

    /**
     * Serve the present request by a policy until it is decided, and discard all rewards. Not if
     * IsDone().
     * @param policy the policy
     * @return whether it was granted
     */
    bool RunRequest(DecisionPolicy& policy)
    {
        RunEpisode(policy, 1);
        return m_granted;
    }

    /**
     * Whether the caller tells the time, as AllocationScheduler does; see
     * OdcnScheduling::SetPaced(). A request that waits for servers is begun when they are free:
     * then the manager's time is later than that of Arrive().
     * @param paced whether it does, false by default
     */
    void SetPaced(bool paced);

    /// @return whether Arrive() is to be called
    bool IsExpecting() const
    {
        return m_isExpected;
    }

    /// @return arrival of the request that is expected
    double GetArrival() const
    {
        return m_manager->GetArrival(m_request);
    }

    /// Begin the request that has arrived, with SetPaced().
    /// @param time of the manager, not before GetArrival(); the request waits until then
    /// @return false if it was refused at once, since servers have failed
    /// @throws OdcnError unless one is expected
    bool Arrive(double time);

    /// Parts have failed, with SetPaced(): a request that was interrupted and is to be offered
    /// again comes before the one that is expected.
    void OfferInterrupted();

    /// @return the manager
    Ptr<const RddcManager> GetManager() const
    {
        return m_manager;
    }

    /// @return the manager, mutable for trace sinks
    Ptr<RddcManager> GetManager()
    {
        return m_manager;
    }

    /// @return requests decided since the last Reset()
    uint64_t GetNRequests() const
    {
        return m_nRequests;
    }

    /**
     * A copy in the same state, also within a request; its later requests come from another source.
     * @param source the copy's source
     * @return the copy
     */
    Ptr<RddcAllocation> Clone(Ptr<RddcRequestSource> source) const;

  protected:
    std::vector<Ptr<Object>> GetParts() const override;

  private:
    /// @return the graph of the manager's network in the present State, rebuilt if necessary
    const GraphObservation& MakeGraph() const;

    /// Fetch the next request and, unless SetPaced(), begin it, if the episode is not over.
    void NextRequest();

    /// @return whether m_request is the next request; false if there is none
    bool FetchRequest();

    /// Begin m_request. @return false if it was refused at once
    bool BeginRequest();

    /// @throws OdcnError when the next request has not arrived yet
    void RequireArrived() const
    {
        Require(!m_isExpected, "the next request has not arrived: Arrive() first");
    }

    /// @return number of features of a node
    uint32_t GetNodeFeatures() const;

    /// Sample the acceptance ratio and the shares in use for the figures of merit.
    void Sample();

    /// Number of values sampled: acceptance, CPU, memory and the channels of each tier.
    static constexpr std::size_t RECENT = 3 + RddcNetwork::TIERS;

    MaskKind m_mask;                              //!< which servers are allowed
    State m_state;                                //!< features of a server
    uint64_t m_maxRequests;                       //!< requests of an episode; 0 for no limit
    double m_holdingScale;                        //!< divisor of the observed holding time
    double m_rewardGranted;                       //!< alpha
    double m_rewardRefused;                       //!< beta
    Ptr<RddcManager> m_manager;                   //!< grants requests
    Ptr<RddcRequestSource> m_source;              //!< source of the requests
    std::shared_ptr<const RddcNetwork> m_network; //!< null before the first Reset()
    mutable std::shared_ptr<const RddcNetwork> m_graphOf;    //!< network of m_graph
    mutable std::shared_ptr<const GraphObservation> m_graph; //!< see MakeGraph()
    bool m_granted{false}; //!< whether the previous request was granted
    RddcRequest m_request; //!< the present one, or that expected
    std::optional<std::pair<RddcRequest, double>> m_later; //!< a later one, and its arrival
    bool m_isPaced{false};                                 //!< see SetPaced()
    bool m_isExpected{false};                              //!< whether m_request is to come
    bool m_isSampled{false};                         //!< whether Sample() is due, with SetPaced()
    uint64_t m_nRequests{0};                         //!< requests decided since Reset()
    uint64_t m_nCounted{0};                          //!< of these since ClearScore()
    uint64_t m_skipRequests;                         //!< requests that Reset() leaves out first
    uint64_t m_lastRequests;                         //!< number of requests that figures average
    std::deque<std::array<double, RECENT>> m_recent; //!< samples of the last requests
    mutable std::vector<float> m_cpu;         //!< scratch of Observe(): CPU feature by free units
    mutable std::vector<float> m_memory;      //!< scratch: memory feature by free units
    mutable RddcPlacementFeatures m_features; //!< scratch, with State=Placement
};

} // namespace ns3::odcn

#endif /* RDDC_ALLOCATION_H */
