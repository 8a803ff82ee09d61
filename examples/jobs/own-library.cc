// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A rule and a reward of one's own for all programs, by their option --library:
 *
 *   cp examples/jobs/own-library.cc scratch/mine.cc
 *   ./ns3 build scratch_mine
 *   ./ns3 run "odcn-drl-scheduling --library=build/lib/libmine.so --policies=odcn-jcb,widest"
 *   ./ns3 run "odcn-drl-scheduling --library=build/lib/libmine.so --train=1 --ownReward=quick
 * --trainJobs=20000 --checkpoint=quick.pt"
 */

#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-scheduling.h"

#include <algorithm>
#include <span>

using namespace ns3;
using namespace ns3::odcn;

/// Selects the rack with the most free bandwidth among those with a server for the VM.
class WidestPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("WidestPolicy").SetParent<DecisionPolicy>().AddConstructor<WidestPolicy>();
        return tid;
    }

    uint32_t Decide(const DecisionProblem& problem) override
    {
        const auto& jobs = dynamic_cast<const OdcnScheduling&>(problem);
        const auto score = [&](RackId rack)
        { return jobs.GetViews().GetCompute(rack) < 0 ? -2 : jobs.GetViews().GetBandwidth(rack); };
        RackId best = 0;
        for (RackId rack = 1; rack < jobs.GetNActions(); ++rack)
        {
            best = score(rack) > score(best) ? rack : best;
        }
        return best;
    }
};

NS_OBJECT_ENSURE_REGISTERED(WidestPolicy);

/// Its short name.
const PolicyRegistration WIDEST{"ns3::odcn::OdcnScheduling",
                                {{"widest", "most free bandwidth", "WidestPolicy", {}}}};

/// A reward that pays for latency: 10 points for a job, less 0.05 for each ns.
const bool QUICK = DecisionProblem::RegisterReward(
    "quick",
    [](const DecisionOutcome& outcome, std::span<float> rewards)
    {
        const double job = outcome.placed ? 10 - 0.05 * outcome.latencyNs : -10;
        std::fill(rewards.begin(), rewards.end(), static_cast<float>(job / double(rewards.size())));
    });
