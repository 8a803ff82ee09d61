// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * odcn's side of the comparisons with other designs (compare.py runs them): the same data centre
 * with an agent in the process, with an agent in a Python process, and a learner. Circuits are not
 * reconfigured, as in the environment in NumPy.
 *
 * The last line of output consists of name=value pairs: decisions, processor seconds and wall
 * seconds since the end of the warm-up, and the jobs accepted by then.
 */

#include "odcn-peer.h"

#include "ns3/boolean.h"
#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/odcn-a2c-learner.h"
#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-file.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-policy-network.h"
#include "ns3/odcn-returns.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <chrono>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Options of the command line, with their defaults.
struct Options
{
    std::string mode{"agent"};         //!< see --mode
    uint32_t tors{16};                 //!< racks
    uint32_t servers{32};              //!< servers of each rack
    double load{66};                   //!< mean duration of a job
    std::string placement{"Balanced"}; //!< placement within a rack
    std::string network{"mlp"};        //!< network of the agent
    uint64_t warmUp{400};              //!< jobs placed by a rule first
    uint64_t decisions{20000};         //!< measured decisions
    uint32_t environments{1};          //!< environments of a learner
    uint32_t threads{1};               //!< threads of a learner
    std::string file;                  //!< file to read or write
    std::string output;                //!< output file
};

/// @return processor seconds of all threads so far
double
CpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Measures from its construction.
class Clock
{
  public:
    /// @param decisions made since  @param accepted jobs
    void Print(uint64_t decisions, uint64_t accepted) const
    {
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - m_wall;
        std::cout << "decisions=" << decisions << " cpu_s=" << CpuSeconds() - m_cpu
                  << " wall_s=" << wall.count() << " accepted=" << accepted << std::endl;
    }

  private:
    double m_cpu{CpuSeconds()}; //!< processor time at construction, s
    std::chrono::steady_clock::time_point m_wall{std::chrono::steady_clock::now()}; //!< at start
};

/// @param options of the command line  @return a data centre
Ptr<OdcnScheduling>
MakeProblem(const Options& options)
{
    Ptr<OdcnJobSource> jobs;
    if (options.file.empty())
    {
        jobs = CreateObject<OdcnJobGenerator>();
        jobs->SetAttribute("Duration",
                           StringValue("ns3::ExponentialRandomVariable[Mean=" +
                                       std::to_string(options.load) + "]"));
        jobs->AssignStreams(0);
    }
    else
    {
        auto file = CreateObject<OdcnJobFile>();
        file->SetFileName(options.file);
        jobs = file;
    }
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(options.tors));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(options.servers));
    helper.SetComputeAttribute("Placement", StringValue(options.placement));
    auto problem = helper.CreateProblem(jobs);
    problem->Set("Reconfigurable", "false");
    problem->Reset();
    return problem;
}

/// @param options of the command line  @return description of its network
std::string
GetNetwork(const Options& options)
{
    return options.network == "mlp" ? "Mlp" : "Scorer";
}

/// @param observation of a problem  @param mask of it  @return the emptiest allowed rack
uint32_t
MostResidual(const std::vector<float>& observation, const std::vector<uint8_t>& mask)
{
    return ArgMax({observation.data(), mask.size()}, mask);
}

/**
 * Run the rule CCF over a job file and write, for each decision, observation and mask, the
 * action and the reward, as floats.
 * @param options of the command line
 */
void
Record(const Options& options)
{
    auto problem = MakeProblem(options);
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy");
    std::vector<float> rows;
    std::vector<float> rewards;
    PeerState state;
    const std::size_t nActions = problem->GetNActions();
    while (!problem->IsDone())
    {
        Observe(*problem, state);
        rows.insert(rows.end(), state.observation.begin(), state.observation.end());
        rows.insert(rows.end(), state.mask.begin(), state.mask.end());
        const uint32_t action = policy->Decide(*problem);
        rows.push_back(static_cast<float>(action));
        rows.push_back(0);
        Act(*problem, action, state);
        rewards.insert(rewards.end(), state.rewards.begin(), state.rewards.end());
    }
    const std::size_t width = 3 * nActions + 2;
    for (std::size_t i = 0; i < rewards.size(); ++i)
    {
        rows[(i + 1) * width - 1] = rewards[i];
    }
    std::ofstream(options.output, std::ios::binary)
        .write(reinterpret_cast<const char*>(rows.data()),
               static_cast<std::streamsize>(rows.size() * sizeof(float)));
}

/// Train with the parameters of the ODCN paper. @param options of the command line
void
Train(const Options& options)
{
    auto learner = CreateObject<A2cLearner>();
    learner->SetAttribute("Threads", UintegerValue(options.threads));
    learner->SetAttribute("ProgressSeconds", DoubleValue(1e9));
    learner->SetNetwork(GetNetwork(options));
    std::vector<Ptr<DecisionProblem>> problems;
    for (uint32_t i = 0; i < options.environments; ++i)
    {
        problems.push_back(MakeProblem(options));
    }
    learner->SetProblems(problems);
    learner->AssignStreams(1000);
    learner->Prepare();
    const Clock clock;
    learner->Train(options.decisions);
    clock.Print(learner->GetDecisions(), 0);
}

/// Write the parameters of a network, layer by layer: weights [in][out], biases.
/// @param network to save  @param path file name
void
SaveParameters(const PolicyNetwork& network, const std::string& path)
{
    std::ofstream file(path, std::ios::binary);
    for (const auto& parameter : network.parameters())
    {
        const auto flat = (parameter.dim() == 2 ? parameter.t() : parameter).detach().contiguous();
        file.write(static_cast<const char*>(flat.data_ptr()),
                   static_cast<std::streamsize>(flat.nbytes()));
    }
}

/// Decide in this process or in another one. @param options of the command line
void
Decide(const Options& options)
{
    auto problem = MakeProblem(options);
    auto rule = DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy");
    for (uint64_t i = 0; i < options.warmUp; ++i)
    {
        problem->RunJob(*rule);
    }
    problem->GetManager()->ClearCounters();
    PeerState state;
    Ptr<AgentPolicy> agent;
    if (options.mode == "agent" || options.mode == "parameters")
    {
        const auto network = PolicyNetwork::Create(GetNetwork(options), ProblemShape(*problem), 1);
        if (options.mode == "parameters")
        {
            SaveParameters(*network, options.output);
            return;
        }
        agent = CreateObject<AgentPolicy>();
        agent->SetNetwork(network);
    }
    Clock clock;
    const auto connected = [&clock]() { clock = Clock(); };
    if (options.mode == "spin" || options.mode == "semaphore")
    {
        ServeSharedMemory(*problem,
                          options.output,
                          options.mode == "spin",
                          options.decisions + 1,
                          connected);
    }
    else if (options.mode == "zmq")
    {
#if ODCN_PEER_ZMQ
        ServeZmq(*problem, options.output, options.decisions + 1, connected);
#else
        throw OdcnError("built without ZeroMQ and protocol buffers");
#endif
    }
    else
    {
        for (uint64_t i = 0; i < options.decisions + 1; ++i)
        {
            uint32_t action = 0;
            if (agent)
            {
                action = agent->Decide(*problem);
            }
            else
            {
                Observe(*problem, state);
                action = MostResidual(state.observation, state.mask);
            }
            Act(*problem, action, state);
        }
    }
    clock.Print(options.decisions, problem->GetManager()->GetCounters().Accepted());
}

} // namespace

void
Observe(const OdcnScheduling& problem, PeerState& state)
{
    state.observation.resize(problem.GetObservationSize());
    state.mask.resize(problem.GetNActions());
    problem.Observe(state.observation.data());
    problem.Mask(state.mask.data());
}

void
Act(OdcnScheduling& problem, uint32_t action, PeerState& state)
{
    problem.Act(action);
    state.rewards.clear();
    problem.TakeRewards(state.rewards);
}

int
main(int argc, char* argv[])
try
{
    Options options;
    CommandLine cmd;
    cmd.Usage("odcn's side of the comparisons with other designs; see compare.py.");
    cmd.AddValue("mode",
                 "rule or agent (in this process), spin, semaphore or zmq (in another), train, "
                 "record, parameters",
                 options.mode);
    cmd.AddValue("tors", "racks", options.tors);
    cmd.AddValue("servers", "servers of a rack", options.servers);
    cmd.AddValue("load", "mean duration of a job", options.load);
    cmd.AddValue("placement", "server within a rack", options.placement);
    cmd.AddValue("network", "mlp or scorer", options.network);
    cmd.AddValue("warmUp", "jobs placed by a rule first", options.warmUp);
    cmd.AddValue("decisions", "measured decisions", options.decisions);
    cmd.AddValue("environments", "train: data centres in parallel", options.environments);
    cmd.AddValue("threads", "train: threads", options.threads);
    cmd.AddValue("jobFile", "record: jobs", options.file);
    cmd.AddValue("output", "record, parameters: file; else name or endpoint", options.output);
    cmd.Parse(argc, argv);
    if (options.mode == "record")
    {
        Record(options);
    }
    else if (options.mode == "train")
    {
        Train(options);
    }
    else
    {
        Decide(options);
    }
    return 0;
}

catch (const std::exception& error)
{
    std::cerr << "error: " << error.what() << std::endl;
    return 1;
}
