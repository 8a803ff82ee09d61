// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_CONTROLLER_H
#define ODCN_TRAINING_CONTROLLER_H

#include "odcn-circuit-rule.h"
#include "odcn-training-cluster.h"
#include "odcn-training-phases.h"
#include "odcn-training-times.h"

#include "ns3/nstime.h"
#include "ns3/ocs-fabric.h"
#include "ns3/odcn-circuit-controller.h"
#include "ns3/odcn-message.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * Sets the circuits of a fabric for the phases of training jobs, as a CircuitRule chooses them. It
 * stands between a TrainingCluster and what carries its messages, on the flow level or in packets.
 *
 * When a job starts, its phases are found (TrainingPhases), once for equal jobs. A phase is about
 * to begin when all of its racks have received what the phases before sent; then its rule is asked
 * for circuits. Each circuit is set as soon as both of its ports are free, and can be used after
 * the dark time of the optical switches. Where messages take one circuit, a port is not free while
 * messages to the rack that it leads to are under way, even if another circuit leads there, since
 * the ToR switch chooses between both. So a switch costs a job
 *
 *     max(0, dark time - gap)
 *
 * where the gap is the time for which the network is idle between two phases. A circuit that the
 * phase before has left where it is costs nothing, but with Keep=false. With a scheduler of the
 * cluster (TrainingCluster::SetScheduler()), circuits that change at the same time are a change
 * that takes its time: the switches set them when it is carried out, and their ports are not used
 * before.
 *
 * A message between racks waits here until it may use a circuit of its phase to its receiver's
 * rack, or, if the ToR switches forward over several circuits (ExpanderRouting), until all circuits
 * of its phase are up. A port serves circuits in the order in which their phases were about to
 * begin. One that is held for a circuit without messages is given to another one whose messages
 * wait for it; so jobs in the same rack, turns of a phase that depend on each other, or messages in
 * another order than expected do not block each other.
 *
 * When a job fails, its messages that wait here are dropped. Those under way keep their circuits
 * until they are received, so that none is left without a way. When it goes on, the phases from its
 * last checkpoint on begin.
 *
 * A rule may choose circuits that are set before the start, without dark time. With one of the
 * unit RUN, they never change.
 *
 * @code
 *   FabricDesign design =
 * FabricDesign::Parse("TrainingController[Rule=PerPhaseRule];DirectRouting"); Ptr<FabricNetwork>
 * network = FabricDesignHelper().Build(design); auto controller =
 * DynamicCast<TrainingController>(network->GetController()); controller->SetCluster(cluster);
 *   CreateObject<PlaneTraffic>()->Start(plane, *PeekPointer(controller));
 * @endcode
 *
 * @ingroup odcn
 */
class TrainingController : public PhaseController
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    TrainingController();
    ~TrainingController() override;

    /// @param rule that chooses circuits, instead of the Attribute Rule; before the start. After
    /// SetFabric(), circuits that are set before the start are those of the rule until then
    void SetRule(Ptr<CircuitRule> rule);

    /// @return the rule
    /// @throws OdcnError when there is none such
    Ptr<CircuitRule> GetRule();

    /// @param cluster whose messages pass, before the start
    void SetCluster(Ptr<TrainingCluster> cluster);

    void SetFabric(Ptr<OcsFabric> fabric) override;
    int64_t AssignStreams(int64_t stream) override;
    void Start(std::vector<Message>& send) override;
    void Receive(const Message& message, Time now, std::vector<Message>& send) override;

    /**
     * Tell how long a message has waited here, for TrainingRun::SetExplain().
     * @param message that was received
     * @param [out] times gets its times of CIRCUITS and DARK
     * @return when it was passed on
     */
    Time Explain(const Message& message, TrainingTimes& times) const;

    /// @return by plane: circuits that are set, dark ones included
    const std::vector<Matching>& GetCircuits() const
    {
        return m_to;
    }

    /// @return number of circuits set so far, but for those before the start
    uint64_t GetNSwitches() const
    {
        return m_nSwitches;
    }

    /// @return how many messages wait here, and the first of them; "" if there are none
    std::string DescribeWaiting() const;

    /// Signature of Phase.
    /// @param phase that is about to begin
    typedef void (*PhaseTracedCallback)(const TrainingPhase& phase);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;

    /// Two racks: from, to.
    using Pair = TrainingPhases::Pair;

    /// A circuit of a phase.
    struct Circuit
    {
        uint32_t phase;    //!< index in m_phases
        uint32_t plane;    //!< its plane
        RackId from;       //!< sending rack
        RackId to;         //!< receiving rack
        bool isSet{false}; //!< whether its ports are its own, or of equal circuits
    };

    /// Messages of a phase between two racks.
    struct Messages
    {
        uint32_t left{0};                 //!< that have not been received
        uint32_t active{0};               //!< that wait or are under way
        std::vector<uint32_t> circuits{}; //!< indices in m_circuits
    };

    /// State of a phase.
    struct Phase
    {
        const TrainingPhase* phase{nullptr}; //!< the phase; null if its job has failed
        uint32_t left{0};                    //!< messages that have not been received
        uint32_t active{0};                  //!< messages that wait or are under way
        bool isQueued{false};                //!< whether it has circuits
        std::map<Pair, Messages> messages{}; //!< by pair of racks
        std::vector<uint32_t> circuits{};    //!< indices in m_circuits
        std::deque<Message> held{};          //!< messages that wait
    };

    /// A job that runs.
    struct Job
    {
        Ptr<TrainingRun> run{};                   //!< that sends
        std::unique_ptr<TrainingPhases> phases{}; //!< its phases
        uint32_t first{0};                        //!< number of the first one in m_phases
        std::map<RackId, std::size_t> next{};     //!< by rack: index in TrainingPhases::GetOrder()
    };

    /// What equal jobs have in common: the unit, the job, iterations before, iterations, and
    /// TrainingPhases::FindRacks().
    using Kind = std::tuple<CircuitRule::Unit,
                            std::shared_ptr<const TrainingJob>,
                            uint32_t,
                            uint32_t,
                            std::vector<uint32_t>>;

    /// Circuits that switches are commanded to set.
    struct Change
    {
        std::vector<OcsCircuit> circuits{}; //!< the new circuits
        std::vector<Pair> left{};           //!< racks of circuits that end
    };

    /// A message that was passed on.
    struct Passed
    {
        uint32_t phase; //!< index in m_phases
        Time sent;      //!< by the job
        Time passed;    //!< when it was passed on
        Time dark;      //!< part of the time between, while a circuit was being set
    };

    /// @param message that is sent
    /// @return whether it is between racks
    bool IsBetween(const Message& message) const;
    /// @param index of a job that has started
    /// @param unit what a phase is
    /// @return its phases, found by a run of it or of an equal job
    std::unique_ptr<TrainingPhases> FindPhases(uint32_t index, CircuitRule::Unit unit);
    /// Note the phases of a job that has started. @param index of the job
    void BeginJob(uint32_t index);
    /// Forget jobs that have ended, or whose run is another one. Messages that wait for circuits
    /// are given back to the cluster; those under way keep theirs until they are received.
    /// @param received message, after which this is
    void EndJobs(const Message& received);
    /// The job of a phase has failed.
    /// @param index in m_phases
    /// @param [in,out] held gets messages that wait
    void DropPhase(uint32_t index, std::vector<Message>& held);
    /// Note a message of a phase whose job has failed.
    /// @param index in m_phases
    /// @param pair its racks
    void CountDropped(uint32_t index, const Pair& pair);
    /// Take the circuits of two racks of a phase away.
    /// @param index in m_phases
    /// @param messages between them
    /// @param isSet whether those that are set, too
    void LeavePair(uint32_t index, Messages& messages, bool isSet);
    /// @param job a job
    /// @param phase index of one of its phases
    /// @return whether it is the next one of all of its racks
    static bool IsNext(const Job& job, uint32_t phase);
    /// Ask for circuits for a phase. @param index in m_phases
    void QueuePhase(uint32_t index);
    /// @param phase that is about to begin
    /// @param circuits that the rule has chosen
    /// @throws OdcnError when they are no circuits between its racks, or leave out a pair
    void CheckCircuits(const TrainingPhase& phase, const CircuitRule::Circuits& circuits) const;
    /// Take the circuits of a phase away. @param index in m_phases
    void LeavePhase(uint32_t index);
    /// Go on to the next phases of the racks of one that has ended. @param index in m_phases
    void EndPhase(uint32_t index);
    /// Note a message that was received.
    /// @param index of its phase in m_phases
    /// @param pair its racks
    void Count(uint32_t index, const Pair& pair);
    /// @param index in m_circuits; no phase has it any more
    void RemoveCircuit(uint32_t index);
    /// A message between racks was received. @param pair its racks
    void NoteReceived(const Pair& pair);
    /// @param from a rack or NO_RACK
    /// @param to a rack or NO_RACK
    /// @return whether messages that take one circuit are under way from one to the other
    bool IsInUse(RackId from, RackId to) const;
    /// Set a circuit if its ports are free. @param index in m_circuits
    void TrySet(uint32_t index);
    /// @param circuit a circuit
    /// @return whether it can be used
    bool IsUp(const Circuit& circuit) const;
    /// @param phase a phase
    /// @param pair of racks
    /// @return a circuit for its messages that can be used, or all of them can; else none
    const Circuit* FindCircuit(const Phase& phase, const Pair& pair) const;
    /// Pass messages of a phase that wait, if they may. @param index in m_phases
    void Release(uint32_t index);
    /// Pass or hold messages of the cluster. @param sent the messages
    void Take(const std::vector<Message>& sent);
    /// Pass a message on, at this time.
    /// @param message the message
    /// @param index of its phase in m_phases
    /// @param dark part of its time while a circuit was being set
    void Pass(Message message, uint32_t index, Time dark);
    /// @param circuit of a phase
    /// @return whether messages for it wait or are under way
    bool IsActive(const Circuit& circuit) const;
    /// @param list of a port of a circuit
    /// @param circuit a circuit
    /// @return whether messages wait for another one behind it
    bool IsWanted(const std::deque<uint32_t>& list, const Circuit& circuit) const;
    /// Take a port from a circuit without messages if messages wait for it. @return whether so
    bool Yield();
    /// Be woken when a circuit that was set can be used.
    /// @param plane its plane
    /// @param from its sending rack
    void Wake(uint32_t plane, RackId from);
    /// Pass messages that wait, since no circuit of two racks is about to end any more.
    /// @param pair the racks
    void WakePair(const Pair& pair);
    /// Set circuits as far as ports are free.
    void Settle();
    /// Switches have been commanded to set circuits.
    /// @param number of the change
    void CarryOut(uint64_t number);

    static constexpr uint32_t NONE = UINT32_MAX; //!< no phase

    std::string m_ruleText;         //!< Rule
    bool m_keep;                    //!< Keep
    Ptr<CircuitRule> m_rule;        //!< see GetRule()
    Ptr<TrainingCluster> m_cluster; //!< see SetCluster()
    Ptr<OcsFabric> m_fabric;        //!< see SetFabric()
    TrainingPhases::Links m_links;  //!< of the fabric
    Time m_dark;                    //!< dark time of its optical switches
    uint32_t m_planes{0};           //!< number of planes
    bool m_isMultiHop{false};       //!< whether messages may take several circuits

    // By plane and rack.
    std::vector<Matching> m_to;                              //!< see GetCircuits()
    std::vector<Matching> m_from;                            //!< by receiving rack: the sending one
    std::vector<Matching> m_last;                            //!< circuits commanded last
    std::vector<std::vector<Time>> m_set;                    //!< when it was set
    std::vector<std::vector<uint32_t>> m_commanded;          //!< changes of it that are under way
    std::vector<std::vector<std::deque<uint32_t>>> m_out;    //!< circuits that want the port
    std::vector<std::vector<std::deque<uint32_t>>> m_in;     //!< the same of the receiving port
    std::map<std::pair<uint32_t, RackId>, RackId> m_changes; //!< receivers, at this time

    std::map<uint64_t, Change> m_changesUnderWay; //!< by number
    std::map<Pair, uint32_t> m_leaving; //!< changes under way that take circuits away, by racks
    uint64_t m_nChanges{0};             //!< changes so far

    std::map<uint32_t, Job> m_jobs;                                //!< those that run, by index
    std::map<Kind, std::shared_ptr<const TrainingPhases>> m_kinds; //!< phases that were found
    std::unordered_map<uint32_t, Phase> m_phases;      //!< of all jobs, that have not ended
    uint32_t m_nPhases{0};                             //!< number of phases so far
    std::set<uint32_t> m_queued;                       //!< phases that have circuits
    std::vector<Circuit> m_circuits;                   //!< by index
    std::vector<uint32_t> m_freeCircuits;              //!< unused ones
    std::deque<uint32_t> m_candidates;                 //!< circuits whose ports may be free
    std::unordered_map<uint64_t, Passed> m_passed;     //!< messages under way, by tag
    std::map<Pair, uint32_t> m_underWay;               //!< their number, by racks
    std::vector<Message>* m_send{nullptr};             //!< gets messages, while one is handled
    Time m_now;                                        //!< the time
    uint64_t m_nSwitches{0};                           //!< see GetNSwitches()
    uint64_t m_nHeld{0};                               //!< messages that wait
    TracedCallback<const TrainingPhase&> m_phaseTrace; //!< trace source Phase
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_CONTROLLER_H */
