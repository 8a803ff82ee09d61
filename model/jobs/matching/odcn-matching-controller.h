// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MATCHING_CONTROLLER_H
#define ODCN_MATCHING_CONTROLLER_H

#include "odcn-matching-problem.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/ocs-circuit-host.h"
#include "ns3/ocs-fabric.h"
#include "ns3/ocs-net-device.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-circuit-controller.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-management-network.h"
#include "ns3/odcn-random-stream.h"
#include "ns3/odcn-ranks.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A controller that matches circuits to measured demand, epoch by epoch, as an application on a
 * node (the epochs of Helios and c-Through).
 *
 * Every Epoch the ToR switches read their counters. ReportDelay later the report leaves for the
 * controller (a REPORT message), DecisionTime after its arrival the command for all switches leaves
 * (a COMMAND message), and on its arrival the switches change their circuits as in
 * OcsScheduleFollower::Change(): ToR switches use a new circuit
 *
 *     ReportDelay + report + DecisionTime + command + drain + ReconfigurationTime + Guard
 *
 * after the counters were read, where reports and commands take no time on an ideal
 * ManagementNetwork and drain is OcsScheduleFollower::GetDrainTime(). Several epochs may be under
 * way at a time. Only circuits that change are interrupted.
 *
 * Policy is one of
 * - a MatchingAlgorithm with Attributes: computes the circuits of the next epoch from the estimate
 *   of the DemandMeter, in bytes, see MakeEpochSchedule(); without demand the circuits stay. The
 *   algorithm gets rates and dark time from the fabric; where the DemandMeter measures what is
 *   Offered, the electrical uplinks of a hybrid fabric count as its packet network;
 * - a rule for MatchingProblem by its short name or type, or the file of an agent (.pt) or a linear
 *   policy (.json): chooses among the candidates of that problem, which follows the measured
 *   traffic.
 *
 * Circuits over paths that control knows to have failed (OcsFabric::IsUsable()) are left out of all
 * decisions, until it knows of their repair.
 *
 * In place of deciding, a controller may distribute a fixed schedule (SetSchedule()), by one
 * command.
 *
 * Until the first command, plane p connects rack i to rack i + 1 + p mod (n - 1). ToR switches need
 * NoCircuit=Hold. Bytes held by a routing over several racks count for the rack where they wait.
 *
 * In a fabric that is divided among ranks (OcsHelper::Divide()) each rank has a controller, with a
 * node of the rank's system id. All receive the counters of all racks in messages between ranks, so
 * they decide the same at the same time, and each changes the switches of its own process. The
 * messages may take no longer than ReportDelay and the shortest report, which must be the delay of
 * the fibres or more; not for fixed schedules.
 */
class MatchingController : public HostedController
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    MatchingController();

    void SetFabric(Ptr<OcsFabric> fabric) override;
    void Begin(CircuitHost& host) override;

    /// @param management carries reports and commands; the default one is ideal
    void SetManagement(Ptr<ManagementNetwork> management);

    /**
     * Use a known demand in place of the DemandMeter's estimate; for MatchingAlgorithms.
     * @param bytes by pair of racks, in an epoch; any unit for algorithms that only compare pairs
     */
    void SetDemand(const DemandMatrix& bytes);

    /// @param schedule to be distributed in place of decisions, after Build()
    void SetSchedule(Ptr<CircuitSchedule> schedule);

    /// @return lets switches follow commands; set its Attributes before the application starts
    Ptr<OcsScheduleFollower> GetFollower() const
    {
        return m_follower;
    }

    /// @return estimates demand for MatchingAlgorithms; set its Attributes as needed
    Ptr<DemandMeter> GetMeter() const
    {
        return m_meter;
    }

    /// @return decision problem that a rule or an agent decides; set its Attributes (Smoothing)
    /// before the application starts
    Ptr<MatchingProblem> GetProblem() const
    {
        return m_problem;
    }

    /// @return number of decisions
    uint64_t GetNDecisions() const
    {
        return m_nDecisions;
    }

    /// @return number of commands that have reached the switches
    uint64_t GetNCommands() const
    {
        return m_nCommands;
    }

    /// @param stream first stream number to use  @return number of streams used
    int64_t AssignStreams(int64_t stream) override;

    /// Signature of Demand. @param demand estimate that the next decision uses, in bytes
    typedef void (*DemandTracedCallback)(const DemandMatrix& demand);

    /// Signature of Decision. @param schedule circuits of the next epoch; null to keep the present
    typedef void (*DecisionTracedCallback)(Ptr<const CircuitSchedule> schedule);

  protected:
    void DoDispose() override;

  private:
    /// Counters of all ToR switches, in bytes.
    struct Report
    {
        DemandMatrix offered; //!< bytes since the last report
        DemandMatrix held;    //!< bytes now
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Find the policy. @param change time that a circuit loses when it changes
    /// @throws OdcnError when there is none of this name
    void FindPolicy(Time change);

    /// @throws OdcnError when the fabric is none for a controller, or counters of other ranks would
    /// come after the report
    void CheckFabric() const;

    /// @return time after a measurement until the first report can have reached the controller
    Time GetReportTime() const;

    /// ToR switches read their counters; again after an epoch.
    void Measure();

    /// Read counters of a ToR switch, and tell them to other ranks. @param from its rack
    /// @param first destination, of PART
    void Read(RackId from, RackId first);

    /// Send counters to the other ranks. @param part of a report
    void SendPart(const Parcel& part) const;

    /// Enter counters into their report. @param part made by Read()
    void Enter(Parcel part);

    /// Counters have come from another rank. @param packet with a part
    void ReceivePart(Ptr<Packet> packet);

    /// A report has reached the controller. @param measured when the counters were read
    void Receive(Time measured);

    /// @return what MatchingAlgorithms need to know of the fabric
    MatchingFabric DescribeFabric() const;

    /// @param report latest counters  @return circuits of the next epoch; null to keep the present
    Ptr<CircuitSchedule> Decide(const Report& report);

    /// Send a command. @param schedule to be followed
    void Command(Ptr<CircuitSchedule> schedule);

    /// Call a function unless the application has stopped. @param delay from now  @param step
    /// called
    void After(Time delay, std::function<void()> step);

    Ptr<OcsFabric> m_fabric;             //!< of ns-3; null in the exact engine
    std::unique_ptr<CircuitHost> m_own;  //!< for m_fabric
    CircuitHost* m_host{nullptr};        //!< counters and circuits, once it has begun
    Ptr<OcsScheduleFollower> m_follower; //!< lets switches follow commands
    Ptr<ManagementNetwork> m_management; //!< carries messages
    Ptr<DemandMeter> m_meter;            //!< estimates demand
    Ptr<CircuitSchedule> m_schedule;     //!< see SetSchedule()
    DemandMatrix m_declared;             //!< see SetDemand(); of 0 racks for none
    Time m_epoch;                        //!< time between measurements
    Time m_reportDelay;                  //!< age of a report when it leaves
    Time m_decisionTime;                 //!< duration of a decision
    Time m_reconfigurationTime;          //!< dark time of circuits that change
    std::string m_policyText;            //!< Attribute Policy
    Ptr<MatchingProblem> m_problem;      //!< see GetProblem()
    Ptr<DecisionPolicy> m_policy;        //!< decides m_problem; null for an algorithm
    int64_t m_stream{-1};                //!< of the policy; negative for none
    DemandMatrix m_offered;              //!< counters of this process' racks, when last read
    std::map<Time, Report> m_reports;    //!< under way, by time of measurement
    std::vector<Matching> m_circuits;    //!< of each plane at the end of the last command
    bool m_cycling{false};               //!< whether planes hold several matchings
    uint64_t m_nDecisions{0};            //!< decisions
    uint64_t m_nCommands{0};             //!< commands that have arrived
    bool m_running{false};               //!< between start and stop
    /// Where each rank receives counters; none in a process alone.
    std::vector<Ptr<OcsNetDevice>> m_inboxes;
    TracedCallback<const DemandMatrix&> m_demandTrace;          //!< Demand
    TracedCallback<Ptr<const CircuitSchedule>> m_decisionTrace; //!< Decision
};

} // namespace ns3::odcn

#endif /* ODCN_MATCHING_CONTROLLER_H */
