// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULING_H
#define ODCN_SCHEDULING_H

#include "odcn-cs-mgr.h"
#include "odcn-job.h"
#include "odcn-rack-features.h"
#include "odcn-rack-outlook.h"
#include "odcn-rack-views.h"

#include "ns3/ocs-packet-monitor.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-decision-problem.h"
#include "ns3/odcn-hindsight-search.h"
#include "ns3/odcn-sampled-queue.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Multi-step job scheduling (sections 3.B and 4 of the ODCN paper) as a decision problem that
 * follows Algorithm 1: one decision per VM; the action is the rack that it is placed in. With
 * CsMgr::Placement=Policy the action also says how the server is found there: actions of worst fit,
 * one for each rack, are followed by those of best fit and of first fit. Observations have a number
 * for each action, then; OdcnRackFeatures, OdcnRackOutlook and ComputeState=Server tell the fits
 * of a rack apart, all other numbers are those of the rack.
 *
 * Observation, 1 x 2|V|: for every rack u the least residual fraction of computing units, memory
 * and disk, and then for every rack the least residual fraction of its incoming and outgoing
 * circuits, both as they would be with the VM placed there; -1 if the VM's demand cannot be met.
 *
 * With State=Placement there are instead, for each size class of VM (the SlotVms, and smaller),
 * OdcnRackFeatures::COUNT blocks of one number per rack: the features are in the blocks of the
 * class of the VM to be placed; all others are 0.
 *
 * State=Traffic adds TRAFFIC_FEATURES blocks, by which the patterns of jobs can be told apart: the
 * job's number of demands as a share of all pairs of its VMs; the number of demands of the VM, and
 * of the VM of the job that has most, as shares of the most that a VM could have; the VM's demands,
 * both directions, in circuits; the share of the job's VMs that are still to be placed; and, the
 * only one that differs between racks, the demands between the rack's VMs, this one included, and
 * those still to be placed, in circuits. Numbers of circuits are divided by 10.
 *
 * State=Opening adds to State=Placement what a job's first VM is placed by: the same blocks again,
 * which are 0 for all later VMs, and those of OdcnRackOutlook. State=Ahead adds the same blocks to
 * State=Traffic, and the mean and the greatest number of demands of a VM of the job, divided by 10:
 * patterns differ by these two, whatever the number of VMs; some jobs of random-p look like trees.
 *
 * State=Whole has the same blocks as State=Traffic, and in them also features of racks that have a
 * server but no direct bandwidth for the VM: what a reconfiguration is chosen by.
 *
 * State=Packets has four more blocks, of what SetMonitor() has measured: packets that
 * wait per uplink of the rack, those that wait for circuits to it, likewise per uplink, and the
 * recent latencies of packets from the rack and to it, in microseconds. They are 0 without a
 * monitor: jobs have packets in a PlacementScheduler with Continuous only.
 *
 * Where racks differ, fractions and shares are those of a rack's own servers and circuits, and
 * demands are counted in circuits of the highest rate.
 *
 * If demands are pinned, those of a VM to or from one rack count as met if one circuit can carry
 * all of them.
 *
 * Rewards follow Eq. 1. A job that is blocked for lack of bandwidth counts as blocked in its last
 * step.
 */
class OdcnScheduling : public DecisionProblem, public DecisionKey
{
  public:
    /// What is observed.
    enum State
    {
        PAPER,     //!< residual fractions of resources and bandwidth, two numbers per rack
        PLACEMENT, //!< OdcnRackFeatures of each rack, by size class of the VM
        OPENING,   //!< as PLACEMENT, and what a job's first VM is placed by
        TRAFFIC,   //!< as PLACEMENT, and the traffic of the job
        AHEAD,     //!< as TRAFFIC, and what a job's first VM is placed by
        WHOLE,     //!< as TRAFFIC, with features of racks without direct bandwidth, too
        MEASURED,  //!< as WHOLE, and queues and latencies of packets
    };

    /// Blocks that State=Traffic adds.
    static constexpr uint32_t TRAFFIC_FEATURES = 6;

    /// How the cost of a reconfiguration is charged to the steps of its job.
    enum Charge
    {
        ONCE_A_JOB, //!< Phi_reconf / K_j in each step
        EACH_STEP,  //!< Phi_reconf in each step (the literal form of Eq. 1)
    };

    /// Source of the latency l of Eq. 1.
    enum RewardLatency
    {
        FORMULA, //!< M/D/1/K at the load of each circuit
        PACKETS, //!< packets simulated on the circuits whose load has changed
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    OdcnScheduling();

    /// @param manager the cloud service manager, used by this problem only
    void SetManager(Ptr<CsMgr> manager);

    /// @param source source of the jobs, used by this problem only
    void SetJobSource(Ptr<OdcnJobSource> source);

    uint32_t GetNActions() const override;
    std::vector<uint32_t> GetObservationShape() const override;
    /// @return State, SlotVms and ComputeState
    std::vector<std::string> GetFormAttributes() const override;
    /// @return "compute" and "bandwidth", or OdcnRackFeatures for each size class of VM
    std::vector<std::string> GetFeatureNames() const override;
    Bounds GetObservationBounds() const override;
    void Observe(float* out) const override;
    void Mask(uint8_t* out) const override;
    void Act(uint32_t action) override;
    void Reset() override;
    Ptr<DecisionProblem> Branch() override;
    Ptr<DecisionProblem> BranchJob() const override;
    /// Of the job source, one for packets if Eq. 1 takes them. @param stream first @return used
    int64_t AssignStreams(int64_t stream) override;
    /// @return name of the share of jobs that were blocked, or served only after a reconfiguration
    std::string GetScoreName() const override;
    void ClearScore() override;
    /// @return blocking, reconfigurations, latency and loss of the closed form, utilisation
    std::vector<FigureOfMerit> GetFigures() const override;
    std::vector<FigureValue> MeasureFigures() const override;
    std::vector<std::string> GetCauses() const override;
    DecisionTally GetTally() const override;
    uint64_t GetNDecided() const override;
    /// @return job, how often it was interrupted before, and VM
    uint64_t GetDecisionKey() const override;

    /**
     * Place all VMs of the present job by a policy, and discard all rewards. Not if IsDone().
     * @param policy the policy
     * @return outcome of the job
     */
    OdcnOutcome RunJob(DecisionPolicy& policy)
    {
        RunEpisode(policy, 1);
        return m_outcome;
    }

    /**
     * Whether the caller tells the time, as PlacementScheduler does. After a job its successor is
     * known (GetJob()), but the manager stays at the time of the decision, so that jobs end and
     * parts fail at their own times, until Arrive() begins the successor. In between there is no
     * decision. Kept over Reset(), which begins the first job at once. When it is switched off, the
     * next job arrives.
     * @param paced whether it does, false by default
     */
    void SetPaced(bool paced);

    /// Begin the job that has arrived, with SetPaced().
    /// @param time job time, not before its arrival; the job waits until then
    /// @throws OdcnError unless one is expected
    void Arrive(double time);

    /// @return whether Arrive() is to be called
    bool IsExpecting() const
    {
        return m_isExpected;
    }

    /// Parts have failed, with SetPaced(): a job that was interrupted and is to be offered again
    /// comes before the one that is expected.
    void OfferInterrupted();

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

    /// @return the rack of the previous VM; NO_RACK at a job's first VM
    RackId GetLastRack() const;

    /// @return states of the racks with the VM placed there
    const OdcnRackViews& GetViews() const
    {
        m_views.SetForm(m_computeState);
        return m_views;
    }

    /// @return what is observed
    State GetState() const
    {
        return m_state;
    }

    /// @return whether features of racks without direct bandwidth are observed
    bool SeesAllRacks() const
    {
        return m_state >= State::WHOLE;
    }

    /// @param monitor measures the packets of the jobs; null without packets, as by default
    void SetMonitor(Ptr<OcsPacketMonitor> monitor)
    {
        m_monitor = monitor;
    }

    /// @return queues and latencies of the jobs' packets; null without packets
    Ptr<OcsPacketMonitor> GetMonitor() const
    {
        return m_monitor;
    }

    /// @return whether Mask() excludes racks without direct bandwidth
    bool MasksBandwidth() const
    {
        return m_maskBandwidth;
    }

    /**
     * @return stands for the problem between two calls of Reset(): another one for each episode and
     * each copy, as long as somebody holds it. Cached values about the ledgers are invalid when it
     * changes.
     */
    std::shared_ptr<const void> GetEpisode() const
    {
        return m_episode;
    }

    /**
     * Use a measured latency for rewards, in place of RewardLatency, until Reset().
     * @param ns mean latency of Eq. 1 in ns; 0 returns to RewardLatency
     */
    void SetMeasuredLatency(double ns)
    {
        m_measuredLatencyNs = ns;
    }

    /// @return outcome of the previous job
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
     * A copy in the same state, also within a job; its later jobs come from another source.
     * @param source the copy's job source
     * @return the copy
     */
    Ptr<OdcnScheduling> Clone(Ptr<OdcnJobSource> source) const;

  protected:
    std::vector<Ptr<Object>> GetParts() const override;

  private:
    /// Blocks of an observation that belong together.
    struct Blocks;

    /// @return the blocks of the state, in order
    const std::vector<const Blocks*>& GetBlocks() const;

    /**
     * Write the residual fractions of State=Paper.
     * @param all the observation, whose numbers before @p out are written
     * @param [out] out the blocks
     * @return the end of the blocks
     */
    float* ObserveFractions(const float* all, float* out) const;

    /// Write the features of racks.
    /// @param all see ObserveFractions()
    /// @param [out] out the blocks
    /// @return their end
    float* ObserveRacks(const float* all, float* out) const;

    /// Write the traffic of the job.
    /// @param all see ObserveFractions()
    /// @param [out] out the blocks
    /// @return their end
    float* ObserveTraffic(const float* all, float* out) const;

    /// Write the features of racks again at a job's first VM.
    /// @param all see ObserveFractions()
    /// @param [out] out the blocks
    /// @return their end
    float* ObserveFirst(const float* all, float* out) const;

    /// Write OdcnRackOutlook at a job's first VM.
    /// @param all see ObserveFractions()
    /// @param [out] out the blocks
    /// @return their end
    float* ObserveOutlook(const float* all, float* out) const;

    /// Write the demands of the job's VMs.
    /// @param all see ObserveFractions()
    /// @param [out] out the blocks
    /// @return their end
    float* ObserveDegrees(const float* all, float* out) const;

    /// Write what SetMonitor() has measured.
    /// @param all see ObserveFractions()
    /// @param [out] out the blocks
    /// @return their end
    float* ObservePackets(const float* all, float* out) const;

    /// @param before begin of each name
    /// @return names of the features of racks
    std::vector<std::string> GetRackNames(const std::string& before) const;

    /// @return bounds of the features of racks
    Bounds GetRackBounds() const;

    /// @return number of blocks of the features of racks
    std::size_t CountRackBlocks() const
    {
        return OdcnRackFeatures::COUNT * (m_slotVms.size() + 1);
    }

    /// @return number of demands of each VM of the job
    std::vector<uint32_t> GetDegrees() const;

    /// Fetch the next job, and begin it unless SetPaced().
    void NextJob();

    /// @return whether m_job is the next job; false if there is none
    bool FetchJob();

    /// Begin m_job. @param time job time
    void BeginJob(double time);

    /// Prepare the next VM: find its neighbours and the cache for its kind.
    void NextVm();

    /// Reward and count the present job and go to the next.
    /// @param outcome of the job
    /// @param steps decisions about it
    void EndJob(OdcnOutcome outcome, std::size_t steps);

    /// Append the rewards of the present job (Eq. 1).
    /// @param outcome of the job
    /// @param steps decisions about it
    void RewardJob(OdcnOutcome outcome, std::size_t steps);

    /// @return mean latency of the network now, in ns, measured on packets
    double MeasureLatencyNs();

    /// @param outcome of a job that was served  @return reward of each of its steps
    float GetReward(OdcnOutcome outcome);

    /// @throws OdcnError when the next job has not arrived yet
    void RequireArrived() const
    {
        Require(!m_isExpected, "the next job has not arrived: Arrive() first");
    }

    /// Restart the figures of merit.
    void ClearFigures();

    /// Take a sample of the closed form.
    void SampleLatency();

    /// Set the kinds of VM that slots are counted for. @param text see Attribute SlotVms
    void SetSlotVms(const std::string& text);

    /// @return these kinds as text
    std::string GetSlotVms() const;

    State m_state;                                //!< what is observed
    std::vector<OdcnResources> m_slotVms;         //!< kinds of VM that slots are counted for
    OdcnRackViews::ComputeState m_computeState;   //!< form of the compute state
    double m_alpha;                               //!< scale of the latency term
    double m_phiReconf;                           //!< Phi_reconf
    Charge m_charge;                              //!< how Phi_reconf is charged
    RewardLatency m_rewardLatency;                //!< source of the latency of Eq. 1
    uint32_t m_rewardPackets;                     //!< packets measured per circuit
    double m_measuredLatencyNs{0};                //!< see SetMeasuredLatency()
    Ptr<OcsPacketMonitor> m_monitor;              //!< see SetMonitor()
    std::optional<RandomStream> m_gaps;           //!< of the packets; automatic if not assigned
    std::optional<SampledQueue> m_packets;        //!< simulated packets of the circuits
    bool m_maskBandwidth;                         //!< whether Mask() requires direct bandwidth
    bool m_mayRefuse;                             //!< whether Mask() allows a job to be refused
    Ptr<CsMgr> m_manager;                         //!< ledgers and counters
    Ptr<OdcnJobSource> m_source;                  //!< source of the jobs
    OdcnJob m_job;                                //!< the job being placed
    std::map<JobId, uint64_t> m_interruptions;    //!< of jobs that faults interrupted
    uint64_t m_nJobs{0};                          //!< jobs since Reset()
    bool m_isPaced{false};                        //!< see SetPaced()
    bool m_isExpected{false};                     //!< whether m_job is to come: see Arrive()
    std::optional<OdcnJob> m_later;               //!< expected after an interrupted job
    OdcnOutcome m_outcome{OdcnOutcome::ACCEPTED}; //!< of the previous job
    mutable OdcnRackViews m_views;                //!< of the next VM
    std::shared_ptr<const void> m_episode;        //!< see GetEpisode(); null before Reset()
    uint64_t m_latencySpacing;                    //!< jobs between two samples of the closed form
    uint64_t m_nMeasured{0};                      //!< jobs since the figures were cleared
    bool m_isSampled{false};                      //!< whether m_latencyNs is due, with SetPaced()
    FigureValue m_latencyNs{0, 0};                //!< samples since ClearScore(), and their number
    FigureValue m_loss{0, 0};                     //!< samples since ClearScore(), and their number
};

} // namespace ns3::odcn

#endif /* ODCN_SCHEDULING_H */
