// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-nara-allocation-sweep.h"

#include <map>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const std::vector<std::string> WEIGHTS{"0", "0.3", "1", "3"};
const std::vector<std::string> FACTORS{"1", "0.95", "0.9", "0.7", "0.5", "0.1"};

/// @return the forms of Tetris
std::vector<std::string>
TetrisForms()
{
    std::vector<std::string> forms;
    const auto add = [&](const std::string& attributes, const std::string& routing)
    { forms.push_back("ns3::odcn::RddcTetrisPolicy[" + attributes + "]@" + routing); };
    for (const auto& weight : WEIGHTS)
    {
        for (const auto& rack : FACTORS)
        {
            const std::string common = "ChannelWeight=" + weight + "|RackFactor=" + rack;
            for (const auto& cluster : FACTORS)
            {
                for (const char* anchor : {"Previous", "First"})
                {
                    for (const char* routing : {"Hops", "LeastUsed"})
                    {
                        add(common + "|ClusterFactor=" + cluster + "|Anchor=" + anchor, routing);
                    }
                }
            }
            for (const char* other : {"Score=Cosine", "Prefer=Smallest"})
            {
                add(common + "|ClusterFactor=" + rack + "|" + other, "Hops");
            }
        }
    }
    return forms;
}

/// @param neighbours orders of neighbours  @return the forms of a rule of that order
std::vector<std::string>
LocalityForms(const std::vector<std::string>& neighbours)
{
    std::vector<std::string> forms;
    for (const auto& order : neighbours)
    {
        for (const auto& weight : WEIGHTS)
        {
            for (const char* first : {"Prefer=Largest", "Prefer=Smallest", "Score=Cosine"})
            {
                for (const char* routing : {"Hops", "LeastFree", "LeastUsed"})
                {
                    forms.push_back("ns3::odcn::RddcLocalityPolicy[Neighbours=" + order +
                                    "|ChannelWeight=" + weight + "|" + first + "]@" + routing);
                }
            }
        }
    }
    return forms;
}

} // namespace

std::vector<SweepFamily>
GetSweepFamilies()
{
    return {{"tetris-best", TetrisForms()},
            {"nulb-best", LocalityForms({"InOrder"})},
            {"nalb-best", LocalityForms({"MostFree", "LeastFree"})}};
}

RddcScheme
FindBestForm(const SweepFamily& family,
             const Topology& topology,
             const Options& options,
             uint64_t firstRun,
             OdcnCsvWriter& csv,
             const std::function<void()>& tried)
{
    const RddcHelper helper = options.MakeHelper(topology);
    RddcScheme best;
    double most = -1;
    for (const auto& form : family.forms)
    {
        RddcScheme scheme = RddcScheme::Find(form);
        const auto evaluation = Evaluate(helper, scheme, options, firstRun, options.sweepRuns);
        const double acceptance = evaluation.GetMean(RddcEvaluation::ACCEPTANCE).mean;
        csv.Row(topology.GetLabel(), family.name, scheme.policy, scheme.routing, acceptance);
        if (acceptance > most)
        {
            most = acceptance;
            best = scheme;
        }
        tried();
    }
    best.name = family.name;
    return best;
}

std::string
GetBestTetris(const Topology& topology)
{
    // As --sweep=1 found them on its streams (doc/results/rddc.md).
    static const std::map<std::string, std::string> FORMS{
        {"8/16", "ChannelWeight=1|RackFactor=1|ClusterFactor=0.9|Anchor=Previous"},
        {"8/8", "ChannelWeight=3|RackFactor=0.95|ClusterFactor=0.95|Anchor=First"},
        {"8/4", "ChannelWeight=3|RackFactor=0.9|ClusterFactor=0.9|Anchor=First"},
        {"16/16", "ChannelWeight=1|RackFactor=0.9|ClusterFactor=0.7|Anchor=First"},
        {"16/8", "ChannelWeight=1|RackFactor=0.9|ClusterFactor=0.7|Anchor=First"},
        {"16/4", "ChannelWeight=1|RackFactor=0.95|ClusterFactor=0.9|Anchor=Previous"},
        {"32/16", "ChannelWeight=3|RackFactor=0.95|ClusterFactor=0.5|Anchor=Previous"},
        {"32/8", "ChannelWeight=1|RackFactor=0.7|ClusterFactor=0.5|Anchor=First"},
        {"32/4", "ChannelWeight=0.3|RackFactor=0.95|ClusterFactor=0.9|Anchor=First"},
    };
    const auto form = FORMS.find(topology.GetLabel());
    return form == FORMS.end() ? "tetris-tuned"
                               : "ns3::odcn::RddcTetrisPolicy[" + form->second + "]@LeastUsed";
}
