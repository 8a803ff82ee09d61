// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULING_H
#define ODCN_SCHEDULING_H

#include "odcn-decision-policy.h"
#include "odcn-decision-problem.h"
#include "odcn-rack-features.h"

#include "ns3/odcn-cs-mgr.h"
#include "ns3/odcn-job-source.h"
#include "ns3/odcn-sampled-queue.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Multi-step job scheduling (sections 3.B and 4 of the ODCN paper) as a decision problem: one
 * decision a VM, the action is the rack it goes to, Algorithm 1 is the law.
 *
 * Observation, 1 x 2|V|: for every rack u the least residual fraction of computing units, memory
 * and disk, and then for every rack the least residual fraction of its incoming and outgoing
 * circuits, both as they would be with the VM placed there; -1 where the VM's demand cannot be met.
 *
 * With State=Placement there are instead, for each size of VM that is told apart (the SlotVms, and
 * smaller), OdcnRackFeatures::COUNT blocks of one number a rack: the features stand in the blocks
 * of the size of the VM to be placed, all others are 0.
 *
 * Where demands are pinned, those of a VM to or from one rack count as met if one circuit takes
 * all.
 *
 * Rewards follow Eq. 1. A job that is blocked for want of bandwidth counts as blocked in its last
 * step.
 */
class OdcnScheduling : public DecisionProblem
{
  public:
    /// Over what the minimum of the computing state is taken.
    enum ComputeState
    {
        RACK,   //!< kinds of resource, each summed over the rack
        SERVER, //!< kinds of resource and servers of the rack (the literal form)
    };

    /// What is observed.
    enum State
    {
        PAPER,     //!< residual fractions of resources and bandwidth, two numbers a rack
        PLACEMENT, //!< OdcnRackFeatures of each rack, by size of the VM
    };

    /// How a reconfiguration is charged to the steps of its job.
    enum Charge
    {
        ONCE_A_JOB, //!< Phi_reconf / K_j in each step
        EACH_STEP,  //!< Phi_reconf in each step (the literal form of Eq. 1)
    };

    /// Where the latency l of Eq. 1 comes from.
    enum RewardLatency
    {
        FORMULA, //!< M/D/1/K at the load of each circuit
        PACKETS, //!< packets run through the circuits whose load has changed
    };

    /// The demands between the VM to be placed and those of the job already in one rack.
    struct Neighbour
    {
        RackId rack{0}; //!< where they are
        BitRate out{0}; //!< from the VM to them
        BitRate in{0};  //!< from them to the VM
    };

    /// What would become of a rack if the VM were placed there.
    struct RackView
    {
        float compute{-1};   //!< least residual fraction of its resources; -1 when no server fits
        float bandwidth{-1}; //!< least residual fraction of its circuits; -1 when a demand is unmet

        /// @return whether a server and direct bandwidth are there
        bool Feasible() const
        {
            return compute >= 0 && bandwidth >= 0;
        }
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    OdcnScheduling();

    /// @param manager the cloud service manager, for this problem alone
    void SetManager(Ptr<CsMgr> manager);

    /// @param source where jobs come from, for this problem alone
    void SetJobSource(Ptr<OdcnJobSource> source);

    uint32_t GetNActions() const override;
    std::vector<uint32_t> GetObservationShape() const override;
    /// @return State, SlotVms and ComputeState
    std::vector<std::string> GetFormAttributes() const override;
    /// With State=Placement those of OdcnRackFeatures, for each size of VM.
    std::vector<std::string> GetFeatureNames() const override;
    void Observe(float* out) const override;
    void Mask(uint8_t* out) const override;
    void Act(uint32_t action) override;
    void TakeRewards(std::vector<float>& out) override;
    bool IsDone() const override;
    void Reset() override;
    /// The job source's streams, and one more for packets if the reward's latency comes from them.
    int64_t AssignStreams(int64_t stream) override;
    std::string GetScoreName() const override;
    /// @return share of the jobs that were blocked, or serviced only after a reconfiguration
    double GetScore() const override;
    void ClearScore() override;
    /// @return blocking, reconfigurations, latency and loss of the closed form, utilisation
    std::vector<FigureOfMerit> GetFigures() const override;
    std::vector<FigureValue> MeasureFigures() const override;
    DecisionTally GetTally() const override;
    uint64_t GetNDecided() const override;

    /**
     * Place the present job by a policy, all its VMs, and discard all rewards. Not when IsDone().
     * @param policy who decides
     * @return what became of it
     */
    OdcnOutcome RunJob(DecisionPolicy& policy);

    /// @return the cloud service manager
    Ptr<CsMgr> GetManager() const
    {
        return m_manager;
    }

    /// @return the job being placed
    const OdcnJob& GetJob() const
    {
        return m_job;
    }

    /// @return index k of the VM that the next action places
    uint32_t GetVmIndex() const
    {
        return m_manager->GetVmIndex();
    }

    /// @return the VM that the next action places
    const OdcnResources& GetVm() const
    {
        return m_job.vms[GetVmIndex()];
    }

    /// @return the demands between the VM that the next action places and those placed before
    const std::vector<Neighbour>& GetNeighbours() const
    {
        return m_neighbours;
    }

    /// @return the rack of the VM placed before, NO_RACK at a job's first VM
    RackId GetLastRack() const;

    /// @param rack a rack  @return what would become of it with the VM placed there
    RackView View(RackId rack) const;

    /// @param rack a rack  @return compute part of its view
    float ViewCompute(RackId rack) const;

    /// @param rack a rack  @return bandwidth part of its view
    float ViewBandwidth(RackId rack) const;

    /**
     * Aggregate form of the bandwidth state: links of a rack taken together.
     * @param rack a rack
     * @return residual fraction of all its circuits with the VM placed there, the lesser of the two
     * directions; -1 when the VM's demands exceed it
     */
    float ViewAggregateBandwidth(RackId rack) const;

    /// @return what is observed
    State GetState() const
    {
        return m_state;
    }

    /// @return whether Mask() excludes racks without direct bandwidth
    bool MasksBandwidth() const
    {
        return m_maskBandwidth;
    }

    /**
     * @return identifies the problem between two calls of Reset(): a number unique in the process,
     * also among copies. What is kept outside about the ledgers is void when it changes.
     */
    uint64_t GetEpisode() const
    {
        return m_episode;
    }

    /**
     * Reward with a latency that somebody has measured, in place of RewardLatency, until Reset().
     * @param ns mean latency of Eq. 1 in ns; 0 for RewardLatency again
     */
    void SetMeasuredLatency(double ns)
    {
        m_measuredLatencyNs = ns;
    }

    /// @return outcome of the job before the present one
    OdcnOutcome GetLastOutcome() const
    {
        return m_outcome;
    }

    /// @return jobs decided since the last Reset()
    uint64_t GetNJobs() const
    {
        return m_nJobs;
    }

    /**
     * A copy in the same state, mid-job too; what follows comes from another job source.
     * @param source the copy's job source
     * @return the copy
     */
    Ptr<OdcnScheduling> Clone(Ptr<OdcnJobSource> source) const;

  protected:
    void DoDispose() override;
    std::vector<Ptr<Object>> GetParts() const override;

  private:
    /// What was seen of one rack, and when.
    struct Seen
    {
        uint64_t version{0}; //!< of the manager that was looked at; 0 for none
        float value{0};      //!< what was seen
    };

    /// OdcnRackFeatures::MARKER of a rack, and of which decision and state of the ledgers it is.
    struct Marker
    {
        uint64_t decision{0}; //!< m_decision; 0 for none
        uint64_t servers{0};  //!< version of the rack's servers
        uint64_t network{0};  //!< version of the network
        float value{0};       //!< the marker
    };

    /// Compute parts of the views for one kind of VM.
    struct ComputeSeen
    {
        OdcnResources vm;        //!< the kind
        ComputeState form;       //!< of what the views are
        std::vector<Seen> racks; //!< of each rack
    };

    /// @param rack a rack  @return compute part of its view, from what the ledger holds now
    float FindCompute(RackId rack) const;

    /// @param rack a rack  @return bandwidth part of its view, from what the ledger holds now
    float FindBandwidth(RackId rack) const;

    /// @param rack a rack  @return OdcnRackFeatures::MARKER of the rack for the VM that is next
    float GetMarker(RackId rack) const;

    /// Fetch the next job and begin it.
    void NextJob();

    /// A VM is to be placed: find its neighbours, and what was seen for its like.
    void NextVm();

    /// The present job has ended: reward its steps by Eq. 1 and go to the next. @param outcome how
    void EndJob(OdcnOutcome outcome);

    /// @return mean latency of the network now, in ns, from packets
    double MeasureLatencyNs();

    /// @param outcome of a job that was serviced  @return reward of each of its steps
    float GetReward(OdcnOutcome outcome);

    /// Read the kinds of VM that slots are counted for. @param text triples between commas
    void SetSlotVms(const std::string& text);

    /// @return them
    std::string GetSlotVms() const;

    State m_state;                                //!< what is observed
    std::vector<OdcnResources> m_slotVms;         //!< kinds of VM that slots are counted for
    mutable OdcnRackFeatures m_features;          //!< working memory of Observe()
    ComputeState m_computeState;                  //!< form of the compute state
    double m_alpha;                               //!< scale of the latency term
    double m_phiReconf;                           //!< Phi_reconf
    Charge m_charge;                              //!< how it is charged
    RewardLatency m_rewardLatency;                //!< where the latency of Eq. 1 comes from
    uint32_t m_rewardPackets;                     //!< measured packets of a circuit
    double m_measuredLatencyNs{0};                //!< see SetMeasuredLatency()
    int64_t m_packetStream{-1};                   //!< their stream; -1 for automatic
    std::optional<SampledQueue> m_packets;        //!< circuits' packets, from the first job on
    bool m_maskBandwidth;                         //!< whether Mask() asks for direct bandwidth
    bool m_mayRefuse;                             //!< whether Mask() lets a job be refused
    Ptr<CsMgr> m_manager;                         //!< ledgers and counters
    Ptr<OdcnJobSource> m_source;                  //!< jobs
    OdcnJob m_job;                                //!< the job being placed
    bool m_done{false};                           //!< whether the source has ended
    uint64_t m_nJobs{0};                          //!< jobs since Reset()
    OdcnOutcome m_outcome{OdcnOutcome::ACCEPTED}; //!< of the job before
    std::vector<Neighbour> m_neighbours;          //!< of the VM that is next
    mutable std::vector<ComputeSeen> m_kinds;     //!< views of the kinds of VM met last
    std::size_t m_kind{0};                        //!< of the VM that is next, in m_kinds
    std::size_t m_oldestKind{0};                  //!< which to forget for another
    mutable std::vector<Seen> m_bandwidthSeen;    //!< for the VM that is next, of each rack
    uint64_t m_decision{0};                       //!< Number of the VM that is next
    mutable std::vector<Marker> m_markers;        //!< see GetMarker(), of each rack
    uint64_t m_episode{0};                        //!< see GetEpisode()
    std::vector<float> m_rewards;                 //!< known and not yet taken
    uint64_t m_scoreOffered{0};                   //!< jobs since ClearScore()
    uint64_t m_scoreLost{0};       //!< of them blocked, or serviced after a reconfiguration
    uint64_t m_latencySpacing;     //!< jobs between two samples of the closed form
    FigureValue m_latencyNs{0, 0}; //!< samples since ClearScore(), and their number
    FigureValue m_loss{0, 0};      //!< samples since ClearScore(), and their number
};

} // namespace ns3::odcn

#endif /* ODCN_SCHEDULING_H */
