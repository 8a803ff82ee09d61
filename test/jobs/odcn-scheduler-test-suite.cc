// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-test-case.h"

#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-window-recorder.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"

#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// A small data centre: 4 racks of 4 servers, at a load that blocks some jobs.
class SmallCentre
{
  public:
    /// @param scheme short name of the policy  @param settings of the scheduler
    explicit SmallCentre(const std::string& scheme, const std::string& settings)
        : m_choice(PolicyRegistry::Find("ns3::odcn::OdcnScheduling", scheme))
    {
        Configure(helper, &OdcnHelper::SetNetworkAttribute, "Racks=4|PortsPerTor=6|OcsCount=2");
        helper.SetComputeAttribute("ServersPerRack", UintegerValue(4));
        Configure(helper, &OdcnHelper::SetSchedulerAttribute, settings);
    }

    /// @param demands from one VM to the next, Gb/s  @return the problem, at its first job
    Ptr<OdcnScheduling> Problem(
        const std::string& demands = "ns3::UniformRandomVariable[Min=8|Max=20]") const
    {
        auto jobs = Make<OdcnJobGenerator>("VmCount=ns3::UniformRandomVariable[Min=3|Max=6]|"
                                           "Duration=ns3::ExponentialRandomVariable[Mean=6]");
        jobs->SetAttribute("DemandGbps", StringValue(demands));
        jobs->AssignStreams(0);
        auto problem = helper.CreateProblem(jobs);
        m_choice.Apply(*problem);
        problem->Reset();
        return problem;
    }

    /// @return a new policy
    Ptr<DecisionPolicy> Policy() const
    {
        return m_choice.Create();
    }

    OdcnHelper helper; //!< builds it

  private:
    PolicyChoice m_choice; //!< policy and interconnect
};

/// Decisions in the simulator equal those at job level.
ODCN_TEST_CASES(SameDecisionsTest,
                std::string,
                "jobs decided in the simulator and at job level, " + parameter,
                "all2all-ccf",
                "odcn-ccf",
                "odcn-packing")
{
    constexpr uint64_t JOBS = 3000;
    SmallCentre centre(parameter,
                       "MaxJobs=3000|WindowAfter=100|WindowSpacing=500|WindowLength=2us");
    auto plain = centre.Problem();
    auto policy = centre.Policy();
    auto expected = ListOf<OdcnOutcome>(JOBS, [&](uint64_t) { return plain->RunJob(*policy); });
    const auto& counters = plain->GetManager()->GetCounters();
    NS_TEST_ASSERT_MSG_GT(counters.Blocked(), 0, "too light a load to tell anything");
    NS_TEST_ASSERT_MSG_GT(counters.Accepted(), 0, "too heavy a load to tell anything");

    auto scenario = centre.helper.Install(centre.Problem(), centre.Policy());
    std::vector<OdcnOutcome> seen;
    Listen(scenario.scheduler, "Decided", [&](OdcnOutcome outcome) { seen.push_back(outcome); });
    bool finished = false;
    Listen(scenario.scheduler, "Finished", [&]() { finished = true; });
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(finished, true, "the scheduler did not finish");
    NS_TEST_ASSERT_MSG_EQ((seen == expected), true, "the simulator decided otherwise");
    Simulator::Destroy();
}

/**
 * Every packet of every window is received or lost for a named cause, while circuits move and
 * uplinks fail; and the devices' counters agree with the applications'.
 */
ODCN_TEST_CASE(ConservationTest,
               "sent = received + dropped by cause + in flight, 2000 jobs with failures")
{
    SmallCentre centre(
        "odcn-ccf",
        "MaxJobs=2000|WindowAfter=20|WindowSpacing=20|WindowWarmUp=2us|WindowLength=6us");
    auto problem = centre.Problem();
    auto scenario = centre.helper.Install(problem, centre.Policy());
    OdcnHelper::AssignStreams(scenario, 1000);
    OdcnWindowRecorder recorder;
    recorder.Record("odcn-ccf", scenario.scheduler, scenario.fabric, scenario.flows);

    // Uplinks fail between windows (which affects later decisions) and within.
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(77);
    std::vector<std::vector<bool>> failed(4, std::vector<bool>(6, false));
    const auto flip = [&]()
    {
        const auto rack = static_cast<RackId>(random->GetInteger(0, 3));
        const auto port = static_cast<uint32_t>(random->GetInteger(0, 5));
        failed[rack][port] = !failed[rack][port];
        scenario.scheduler->SetUplinkFailed(rack, port, failed[rack][port]);
    };
    Listen(scenario.scheduler,
           "WindowOpened",
           [&](const OdcnWindow&)
           {
               for (int i = 0; i < 2; ++i)
               {
                   Simulator::Schedule(NanoSeconds(random->GetInteger(0, 8000)),
                                       std::function<void()>(flip));
               }
           });
    Listen(scenario.scheduler, "Finished", []() { Simulator::Stop(); });
    Simulator::Run();

    const auto counts = scenario.fabric->Count();
    NS_TEST_ASSERT_MSG_EQ(counts.sent,
                          counts.received + counts.inFlight + counts.dropped.Total(),
                          "the devices lost track of a packet");
    NS_TEST_ASSERT_MSG_EQ(counts.inFlight, 0, "a packet outlived the last window");
    NS_TEST_ASSERT_MSG_GT(recorder.Get("odcn-ccf").packets.GetWindows(), 50, "too few windows");
    NS_TEST_ASSERT_MSG_EQ(recorder.Get("odcn-ccf").packets.GetUnbalancedWindows(),
                          0,
                          "a window is unbalanced");
    NS_TEST_ASSERT_MSG_GT(problem->GetManager()->GetCounters().Reconfigurations(),
                          20,
                          "hardly a reconfiguration");
    const PacketCounts total =
        recorder.Get("odcn-ccf").packets.GetTotal(OdcnWindowRecorder::INTER_RACK).all;
    NS_TEST_ASSERT_MSG_GT(total.dropped.Total(), 0, "failures lost no packet");
    NS_TEST_ASSERT_MSG_EQ(total.sent,
                          total.received + total.dropped.Total() + total.inFlight,
                          "sent is not received + dropped + in flight");
    Simulator::Destroy();
}

/**
 * With a management network and a time for decisions, jobs are decided later, commands arrive
 * later, and resources are held longer, so more jobs are blocked.
 */
ODCN_TEST_CASE(ManagementTest,
               "requests, inquiries, commands and reports over a management network")
{
    // Results of a run.
    struct Result
    {
        uint64_t blocked{0};                             // jobs
        uint64_t reconfigurations{0};                    // jobs with a command
        std::array<ManagementNetwork::Counts, 4> counts; // by kind
        Time command;                                    // latency of the slowest command
    };

    // delay: of the link; 0 for an ideal network; result: results
    const auto doRun = [&](Time delay) -> Result
    {
        SmallCentre centre("odcn-packing", "MaxJobs=3000|WindowSpacing=0|JobTimeUnit=1ms");
        auto problem = centre.Problem("ns3::UniformRandomVariable[Min=16|Max=36]");
        auto scenario = centre.helper.Install(problem, centre.Policy());
        auto management = CreateObject<ManagementNetwork>();
        Result result;
        const auto delivered = [&result](ManagementNetwork::Kind kind, Time latency)
        {
            if (kind == ManagementNetwork::COMMAND)
            {
                result.command = std::max(result.command, latency);
            }
        };
        Listen(management, "Delivered", delivered);
        if (!delay.IsZero())
        {
            management->SetAttribute("DataRate", StringValue("10Gbps"));
            management->SetAttribute("Delay", TimeValue(delay));
            Configure(scenario.scheduler, "DecisionTime=10us|Inquire=true");
        }
        ManagementHelper().Install(management, scenario.controller);
        scenario.scheduler->SetManagement(management);
        Simulator::Run();
        result.blocked = problem->GetManager()->GetCounters().Blocked();
        result.reconfigurations = problem->GetManager()->GetCounters().Reconfigurations();
        for (uint8_t kind = 0; kind < ManagementNetwork::KINDS; ++kind)
        {
            result.counts[kind] = management->GetCounts(ManagementNetwork::Kind(kind));
        }
        Simulator::Destroy();
        return result;
    };
    const Result ideal = doRun(Time(0));
    const Result real = doRun(MicroSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(ideal.command, Time(0), "commands take no time");
    NS_TEST_EXPECT_MSG_EQ(ideal.counts[ManagementNetwork::COMMAND].packets, 0, "no packets");
    NS_TEST_EXPECT_MSG_EQ(ideal.counts[ManagementNetwork::COMMAND].messages,
                          ideal.reconfigurations,
                          "a command for each reconfiguration");
    NS_TEST_EXPECT_MSG_EQ(ideal.counts[ManagementNetwork::INQUIRY].messages, 0, "not asked");
    NS_TEST_EXPECT_MSG_GT(real.command, MicroSeconds(100), "commands take time");
    NS_TEST_EXPECT_MSG_LT(real.command, MicroSeconds(102), "on an idle link");
    NS_TEST_EXPECT_MSG_EQ(real.counts[ManagementNetwork::REQUEST].delivered, 3000, "jobs");
    NS_TEST_EXPECT_MSG_EQ(real.counts[ManagementNetwork::INQUIRY].delivered, 3000, "asked");
    NS_TEST_EXPECT_MSG_EQ(real.counts[ManagementNetwork::COMMAND].delivered,
                          real.reconfigurations,
                          "commands");
    NS_TEST_EXPECT_MSG_EQ(real.counts[ManagementNetwork::REPORT].messages,
                          3000 + real.reconfigurations,
                          "of state, and of commands");
    // Held for 0.2 ms longer, of 6 ms on average.
    NS_TEST_EXPECT_MSG_GT(real.blocked, ideal.blocked, "more is in use");
}

/// Two runs with one seed write identical files, another seed different ones.
ODCN_TEST_CASE(RepeatableTest, "same seed, same windows")
{
    // name: of the file; result: its text after a run
    const auto doRun = [&](const std::string& name) -> std::string
    {
        SmallCentre centre("odcn-jcb", "MaxJobs=300|WindowAfter=50|WindowSpacing=50");
        auto scenario = centre.helper.Install(centre.Problem(), centre.Policy());
        OdcnHelper::AssignStreams(scenario, 1000);
        const std::string file = CreateTempDirFilename(name);
        OdcnWindowRecorder recorder(file);
        OdcnWindowRecorder counts; // without a file
        for (OdcnWindowRecorder* each : {&recorder, &counts})
        {
            each->Record("odcn-jcb", scenario.scheduler, scenario.fabric, scenario.flows);
        }
        Simulator::Run();
        recorder.Commit();
        Simulator::Destroy();
        const std::string difference = recorder.FindDifference("odcn-jcb", counts);
        NS_TEST_EXPECT_MSG_EQ(difference, "", "a recorder without a file");
        // As from one process to another.
        Parcel sent;
        recorder.Pass("odcn-jcb", sent);
        Parcel arrived(sent.GetBytes());
        const std::string copy = CreateTempDirFilename("copy of " + name);
        OdcnWindowRecorder passed(copy);
        passed.Pass("odcn-jcb", arrived);
        passed.Commit();
        NS_TEST_EXPECT_MSG_EQ(recorder.FindDifference("odcn-jcb", passed), "", "rows and jobs");
        NS_TEST_EXPECT_MSG_EQ((ReadText(copy) == ReadText(file)), true, "the file");
        std::ostringstream table;
        std::ostringstream tableOfCopy;
        recorder.Print(table, 0);
        passed.Print(tableOfCopy, 0);
        NS_TEST_EXPECT_MSG_EQ(tableOfCopy.str(), table.str(), "estimates of all windows");
        return ReadText(file);
    };
    const uint64_t run = RngSeedManager::GetRun();
    const std::string first = doRun("first.csv");
    const std::string second = doRun("second.csv");
    RngSeedManager::SetRun(run + 1);
    const std::string other = doRun("other.csv");
    RngSeedManager::SetRun(run);
    NS_TEST_ASSERT_MSG_GT(first.size(), 1000, "hardly anything was written");
    NS_TEST_ASSERT_MSG_EQ((first == second), true, "the same seed wrote other bytes");
    NS_TEST_ASSERT_MSG_EQ((first == other), false, "another run wrote the same bytes");
}

/// Latency and loss between racks in packets against the closed form, at the same circuit loads.
ODCN_TEST_CASES(ClosedFormTest,
                bool,
                std::string("windows against the closed form") +
                    (parameter ? ", packets between racks alone" : ""),
                false,
                true)
{
    const bool onlyBetweenRacks =
        parameter; // omits traffic within racks, on other links than usual
    SmallCentre centre("odcn-jcb",
                       "MaxJobs=1200|WindowAfter=100|WindowSpacing=30|WindowLength=40us");
    if (onlyBetweenRacks)
    {
        centre.helper.SetSchedulerAttribute("IntraRackFlows", BooleanValue(false));
        centre.helper.GetOptics().SetServerAttribute("DataRate", StringValue("200Gbps"));
        centre.helper.GetOptics().SetServerFiberAttribute("Delay", StringValue("1ns"));
        centre.helper.GetOptics().SetUplinkFiberAttribute("Delay", StringValue("10ns"));
    }
    auto scenario = centre.helper.Install(centre.Problem(), centre.Policy());
    OdcnHelper::AssignStreams(scenario, 1000);
    OdcnWindowRecorder recorder;
    recorder.Record("odcn-jcb", scenario.scheduler, scenario.fabric, scenario.flows);
    Simulator::Run();
    const OdcnWindowRecorder::Log& log = recorder.Get("odcn-jcb");
    const uint64_t within = log.packets.GetTotal(OdcnWindowRecorder::INTRA_RACK).all.received;
    NS_TEST_ASSERT_MSG_EQ((within == 0), onlyBetweenRacks, "packets within racks");
    // Two transmissions of 296 bytes on the servers' links, four fibres.
    NS_TEST_ASSERT_MSG_EQ_TOL(log.linksNs,
                              (onlyBetweenRacks ? 2 * 11.84 + 2 * 1 + 2 * 10 : 2 * 5.92),
                              1e-9,
                              "links");
    const double expected = log.GetFormulaNs() + log.linksNs;
    const double seen = log.packets.GetLatency(OdcnWindowRecorder::INTER_RACK).GetMeanNs().mean;
    NS_TEST_ASSERT_MSG_EQ_TOL(seen, expected, 0.05 * expected, "latency");
    const double loss = log.packets.GetLoss(OdcnWindowRecorder::INTER_RACK).mean;
    NS_TEST_ASSERT_MSG_EQ_TOL(loss,
                              log.GetFormulaLoss(),
                              0.25 * log.GetFormulaLoss() + 1e-4,
                              "loss");
    Simulator::Destroy();
}

/// The measured latency is that of the reward, compared with the closed form at the same loads.
ODCN_TEST_CASE(RewardTest, "rewards by packets and by the closed form; windows end to end")
{
    // Results of a run.
    struct Result
    {
        std::vector<double> measured; // ns, by window
        std::vector<double> formula;  // ns, by window
        std::vector<float> rewards;   // of the job before each window but the first
        std::vector<Time> opened;     // by window
        std::vector<Time> closed;     // by window
    };

    // reward: Attribute; result: results
    const auto doRun = [&](const std::string& reward) -> Result
    {
        SmallCentre centre("odcn-jcb",
                           "MaxJobs=900|WindowAfter=100|WindowSpacing=40|WindowLength=40us|"
                           "IntraRackFlows=false|JobTimeUnit=0s");
        centre.helper.SetSchedulerAttribute("Reward", StringValue(reward));
        centre.helper.GetOptics().SetServerAttribute("DataRate", StringValue("400Gbps"));
        auto scenario = centre.helper.Install(centre.Problem(), centre.Policy());
        OdcnHelper::AssignStreams(scenario, 1000);
        Result result;
        std::vector<float> last;
        const auto closed = [&](const OdcnWindow& window)
        {
            result.measured.push_back(scenario.scheduler->GetMeasuredLatencyNs());
            result.formula.push_back(window.formulaLatencyNs);
            result.opened.push_back(window.opened);
            result.closed.push_back(window.closed);
        };
        OdcnOutcome outcome{};
        const auto decided = [&](OdcnOutcome o) { outcome = o; };
        const auto rewarded = [&](const std::vector<float>& rewards)
        {
            if (outcome == OdcnOutcome::ACCEPTED && result.rewards.size() < result.closed.size())
            {
                result.rewards.push_back(rewards.front());
            }
        };
        Listen(scenario.scheduler, "WindowClosed", closed);
        Listen(scenario.scheduler, "Decided", decided);
        Listen(scenario.scheduler, "Rewarded", rewarded);
        Simulator::Run();
        Simulator::Destroy();
        return result;
    };
    const Result packets = doRun("Packets");
    const Result formula = doRun("Formula");
    NS_TEST_ASSERT_MSG_GT(packets.measured.size(), 15, "too few windows");
    double measured = 0;
    double expected = 0;
    for (std::size_t i = 0; i < packets.measured.size(); ++i)
    {
        // Jobs may all stay within their racks.
        measured += packets.measured[i];
        expected += packets.measured[i] > 0 ? packets.formula[i] : 0;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(measured / expected, 1, 0.05, "packets and closed form");
    // The first job that is accepted after a window: Eq. 1, Alpha is 100 ns.
    double other = 0;
    for (std::size_t i = 0; i < packets.rewards.size(); ++i)
    {
        const double latency = packets.measured[i] > 0 ? packets.measured[i] : packets.formula[i];
        NS_TEST_EXPECT_MSG_EQ_TOL(packets.rewards[i],
                                  static_cast<float>(1 + 100 / latency),
                                  (packets.measured[i] > 0 ? 0 : 1e-3),
                                  "reward by packets");
        other += std::abs(packets.rewards[i] - formula.rewards[i]);
    }
    NS_TEST_EXPECT_MSG_GT(other, 0, "the closed form rewards otherwise");
    NS_TEST_EXPECT_MSG_LT(other / static_cast<double>(packets.rewards.size()),
                          0.15,
                          "but not by much");
    // Only reconfigurations lie between two windows.
    for (std::size_t i = 1; i < packets.opened.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_LT(packets.opened[i] - packets.closed[i - 1],
                              MilliSeconds(26),
                              "end to end");
    }
}

/// A window that includes dark circuits loses packets there, and counts them.
ODCN_TEST_CASE(DarkTest, "windows that include the dark time of a reconfiguration")
{
    // dark: whether windows include dark circuits; result: counters of the fabric
    const auto run = [&](bool dark) -> PacketCounts
    {
        SmallCentre centre(
            "odcn-packing",
            "MaxJobs=2000|WindowSpacing=0|MaxWindows=5|WindowLength=100us|IntraRackFlows=false");
        centre.helper.SetSchedulerAttribute("IncludeDark", BooleanValue(dark));
        centre.helper.GetOptics().SetSwitchAttribute("ReconfigurationTime", StringValue("80us"));
        auto problem = centre.Problem("ns3::UniformRandomVariable[Min=16|Max=36]");
        auto scenario = centre.helper.Install(problem, centre.Policy());
        OdcnHelper::AssignStreams(scenario, 1000);
        const auto moved = [&](const std::vector<OdcnCircuitChange>&)
        { scenario.scheduler->RequestWindow(); };
        Listen(problem->GetManager(), "CircuitsChanged", moved);
        uint32_t windows = 0;
        const auto closed = [&](const OdcnWindow& window)
        {
            ++windows;
            NS_TEST_EXPECT_MSG_EQ(window.measureUntil - window.opened,
                                  MicroSeconds(110),
                                  "as long as said");
        };
        Listen(scenario.scheduler, "WindowClosed", closed);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(windows, 5, "after each of the first reconfigurations");
        const auto counts = scenario.fabric->Count();
        NS_TEST_EXPECT_MSG_EQ(counts.sent,
                              counts.received + counts.dropped.Total(),
                              "every packet has a fate");
        Simulator::Destroy();
        return counts;
    };
    const auto without = run(false);
    const auto with = run(true);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(with.sent),
                              static_cast<double>(without.sent),
                              0.05 * static_cast<double>(without.sent),
                              "the same demands");
    NS_TEST_EXPECT_MSG_GT(with.dropped.Total(),
                          2 * without.dropped.Total(),
                          "circuits that move carry nothing meanwhile");
}

/// The suite.
PicosecondSuite g_odcnSchedulerTestSuite("odcn-scheduler");

} // namespace
