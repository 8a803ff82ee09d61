// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Which matching next: rules and agents on the decision problem of controllers, as a fluid without
 * packets, on common random numbers. Trains agents, which matching-first uses with packets.
 *
 *     ./ns3 run matching-agent
 *     ./ns3 run "matching-agent --darkShare=0.5 --policies=max-weight,max-weight-held,greedy"
 *     ./ns3 run "matching-agent --train=400000 --agent=mine.pt"
 *     ./ns3 run "matching-agent --policies=greedy,mine.pt"
 */

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-matching-problem.h"
#include "ns3/odcn-training-options.h"

#include <string>

using namespace ns3;
using namespace ns3::odcn;

/// @param darkShare Attribute DarkShare  @param load of the busiest rack; 0 for random ones
/// @return the problem: 8 racks, 2 planes
static Ptr<DecisionProblem>
MakeProblem(double darkShare, double load)
{
    auto problem = CreateObject<MatchingProblem>();
    problem->Set("DarkShare", FormatNumber(darkShare));
    if (load > 0)
    {
        problem->Set("Load", "ns3::ConstantRandomVariable[Constant=" + FormatNumber(load) + "]");
    }
    problem->AssignStreams(0);
    return problem;
}

int
main(int argc, char* argv[])
try
{
    std::string agent;
    double darkShare = 0.1;
    TrainingOptions training({.system = "matching",
                              .problem = "ns3::odcn::MatchingProblem",
                              .agent = "agent",
                              .isShare = false,
                              .stream = 1000});
    Experiment experiment;
    experiment.SetPolicies("keep,round-robin,birkhoff,oldest,max-weight,max-weight-steady,"
                           "max-weight-expected,max-weight-held,greedy");
    experiment.SetLoads("0.4,0.6,0.8", "of the busiest rack, as a share of its uplinks");
    experiment.SetReplications(20);
    OdcnCommandLine cmd(argc,
                        argv,
                        "Which matching next: rules and agents on the decision problem.");
    cmd.AddRange("darkShare",
                 "share of an epoch that a circuit loses when it changes",
                 darkShare,
                 0.0,
                 1.0);
    experiment.AddOptions(cmd, MatchingProblem::GetTypeId().GetName());
    cmd.SetGroup("Training", "train");
    cmd.AddValue("train", "train an agent with so many decisions, and exit", training.decisions);
    cmd.AddValue("agent", "file of the agent to train", agent);
    training.AddPartsTo(cmd);
    cmd.Restrict({"loads"}, {"!train"}); // a training has random ones
    cmd.Parse();
    if (training.decisions > 0)
    {
        OdcnCommandLine::Check(!agent.empty(), "agent", agent, "a file to write the agent to");
        return training.Run(
            {agent, [&](const TrainingCase&) { return MakeProblem(darkShare, 0); }});
    }
    experiment.SetProblem([&](double load) { return MakeProblem(darkShare, load); });
    experiment.Run();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
