// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-policy-registry.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"

#include <algorithm>
#include <filesystem>

namespace ns3::odcn
{

namespace
{

/// Policies whose weights come from a file.
struct TrainedType
{
    const char* type;      //!< TypeId name
    const char* attribute; //!< Attribute with the file name
    const char* extension; //!< extension of such files
    const char* what;      //!< description for errors
    const char* instead;   //!< Attribute that replaces the file; "" for none
};

const std::vector<TrainedType> TRAINED{
    {"ns3::odcn::AgentPolicy", "Checkpoint", ".pt", "the file of an agent", "Untrained"},
    {"ns3::odcn::LinearPolicy", "File", ".json", "the file of a linear policy", ""},
};

/// @param type TypeId name  @return the trained type; null for a rule
const TrainedType*
FindTrained(const std::string& type)
{
    const auto found = std::find_if(TRAINED.begin(),
                                    TRAINED.end(),
                                    [&](const TrainedType& t) { return type == t.type; });
    return found == TRAINED.end() ? nullptr : &*found;
}

/// Policies by the TypeId name of their problem.
using Table = std::map<std::string, std::vector<PolicyChoice>>;

/// @return the policies of the library, and those that were added
Table&
GetTable()
{
    static const std::string AGENT = TRAINED[0].type;
    static const std::string LINEAR = TRAINED[1].type;
    // The papers of these agents have no mask, neither while learning nor later.
    static const std::string UNMASKED = AGENT + "[UseMask=false]";
    // DeepRM's code draws its actions. The likeliest one may do nothing for ever.
    static const std::string DRAWN = AGENT + "[Greedy=false|UseMask=false]";
    // As for greedy, a worker weighs two blocks. A blocked task of about twenty weighs fifteen, or
    // the search would keep centres full so that tasks are refused.
    static const std::string HINDSIGHT =
        "ns3::odcn::HindsightSearch[Objective=hot_blocks+2*moved_workers+300*blocked|";
    static Table table{
        {"ns3::odcn::OdcnScheduling",
         {{"all2all-ccf",
           "computing capacity first on a fixed all-to-all interconnect",
           "ns3::odcn::OdcnCcfPolicy",
           {{"Reconfigurable", "false"}}},
          {"odcn-ccf", "computing capacity first", "ns3::odcn::OdcnCcfPolicy", {}},
          {"odcn-jcb", "joint computing and bandwidth", "ns3::odcn::OdcnJcbPolicy", {}},
          {"random", "any feasible rack", "ns3::odcn::RandomPolicy", {}},
          {"first-fit", "first feasible rack", "ns3::odcn::FirstFitPolicy", {}},
          {"untrained", "network with random parameters", AGENT + "[Untrained=Mlp]", {}},
          {"odcn-best-fit", "fullest rack that fits", "ns3::odcn::OdcnBestFitPolicy", {}},
          {"odcn-packing", "few racks, little bandwidth", "ns3::odcn::OdcnPackingPolicy", {}},
          {"odcn-score", "slots kept for large VMs", "ns3::odcn::OdcnScorePolicy", {}},
          {"linear", "weighted sum of rack features", LINEAR, {}},
          {"drl", "trained network, ours", AGENT, {}},
          {"drl-paper", "the paper's A2C and 5x128", UNMASKED, {}}}},
        {"ns3::odcn::RddcAllocation",
         {{"random", "any useful server", "ns3::odcn::RandomPolicy", {}},
          {"first-fit", "first useful server", "ns3::odcn::FirstFitPolicy", {}},
          {"untrained", "network with random parameters", AGENT + "[Untrained=GraphSage]", {}},
          {"tetris", "Tetris, network-aware", "ns3::odcn::RddcTetrisPolicy", {}},
          // The form that accepts most requests over the nine topologies (doc/results/rddc.md).
          {"tetris-tuned",
           "Tetris, its best form over nine topologies",
           "ns3::odcn::RddcTetrisPolicy[Anchor=First|ChannelWeight=3|ClusterFactor=0.7|"
           "RackFactor=0.9]",
           {{"Routing", "LeastUsed"}}},
          {"nulb",
           "network-unaware locality",
           "ns3::odcn::RddcLocalityPolicy[Neighbours=InOrder]",
           {{"Routing", "LeastUsed"}}},
          {"nalb",
           "network-aware locality",
           "ns3::odcn::RddcLocalityPolicy[Neighbours=MostFree]",
           {{"Routing", "LeastUsed"}}},
          {"linear", "weighted sum of server features", LINEAR, {{"Routing", "LeastUsed"}}},
          {"agent", "trained network", AGENT, {}},
          {"nara-paper", "NARA: GraphSAGE and PPO", AGENT, {{"Routing", "Hops"}}},
          {"raw-bound",
           "Tetris without a network",
           "ns3::odcn::RddcTetrisPolicy",
           {{"Connectivity", "NoPairs"}},
           true}}},
        {"ns3::odcn::MatchingProblem",
         {{"keep", "circuits never change", "ns3::odcn::MatchingRulePolicy[Candidate=Keep]", {}},
          {"max-weight",
           "maximum weight of the backlog",
           "ns3::odcn::MatchingRulePolicy[Candidate=Backlog]",
           {}},
          {"max-weight-steady",
           "maximum weight less dark time",
           "ns3::odcn::MatchingRulePolicy[Candidate=Steady]",
           {}},
          {"max-weight-expected",
           "the same with expected arrivals",
           "ns3::odcn::MatchingRulePolicy[Candidate=Expected]",
           {}},
          {"max-weight-held",
           "the same, held for four epochs",
           "ns3::odcn::MatchingRulePolicy[Candidate=Held]",
           {}},
          {"max-weight-rate",
           "maximum weight of arrivals",
           "ns3::odcn::MatchingRulePolicy[Candidate=Rate]",
           {}},
          {"oldest",
           "maximum weight of waiting times",
           "ns3::odcn::MatchingRulePolicy[Candidate=Oldest]",
           {}},
          {"round-robin",
           "cyclic shifts",
           "ns3::odcn::MatchingRulePolicy[Candidate=RoundRobin]",
           {}},
          {"birkhoff",
           "heaviest terms of Birkhoff",
           "ns3::odcn::MatchingRulePolicy[Candidate=Birkhoff]",
           {}},
          {"greedy",
           "candidate with the largest expected service",
           "ns3::odcn::MatchingRulePolicy",
           {}},
          {"random", "any feasible candidate", "ns3::odcn::RandomPolicy", {}},
          {"untrained", "network with random parameters", AGENT + "[Untrained=Scorer]", {}},
          {"linear", "weighted sum of features of a candidate", LINEAR, {}},
          {"agent", "trained network", AGENT, {}}}},
        {"ns3::odcn::ClusterScheduling",
         {{"agent", "trained network", AGENT, {}},
          {"a2cscheduler", "A2cScheduler, with a mask", AGENT, {}},
          {"deeprm", "DeepRM, with a mask", AGENT, {}},
          {"deeprm-plus", "DeepRM_Plus, with a mask", AGENT, {}},
          {"deeprm-paper", "DeepRM", DRAWN, {}},
          {"deeprm-plus-paper", "DeepRM_Plus", DRAWN, {}},
          {"easy", "EASY backfilling", "ns3::odcn::ClusterBackfillPolicy", {}},
          {"easy-sjf",
           "EASY backfilling, shortest first",
           "ns3::odcn::ClusterBackfillPolicy[Order=Shortest]",
           {}},
          {"fcfs",
           "first come, first served",
           "ns3::odcn::ClusterListPolicy[Order=Arrival|Strict=true]",
           {}},
          {"first-fit", "first that fits", "ns3::odcn::ClusterListPolicy[Order=Arrival]", {}},
          {"hrrn",
           "highest response ratio next",
           "ns3::odcn::ClusterListPolicy[Order=ResponseRatio]",
           {}},
          {"packer", "best packing", "ns3::odcn::ClusterListPolicy[Order=Alignment]", {}},
          {"random", "any action, useful or not", "ns3::odcn::RandomPolicy[Feasible=false]", {}},
          {"random-feasible", "any action that does something", "ns3::odcn::RandomPolicy", {}},
          {"untrained", "network with random parameters", AGENT + "[Untrained=Mlp]", {}},
          {"sjf", "shortest job first", "ns3::odcn::ClusterListPolicy[Order=Shortest]", {}},
          {"tetris",
           "Tetris: packing and shortness",
           "ns3::odcn::ClusterListPolicy[Knob=0.2|Order=Mix]",
           {}}}},
        {"ns3::odcn::IcciMigration",
         {{"none", "no migration", "ns3::odcn::IcciStayPolicy", {}},
          {"proximity", "nearest centres", "ns3::odcn::IcciFirstPolicy", {{"Search", "Nearest"}}},
          {"random", "any centres", "ns3::odcn::IcciFirstPolicy", {{"Search", "Any"}}},
          {"random-candidate",
           "any candidate that agents may choose",
           "ns3::odcn::RandomPolicy",
           {{"Outlook", "0"}}},
          {"untrained",
           "network with random parameters",
           AGENT + "[Untrained=Mlp]",
           {{"Outlook", "0"}}},
          {"full-node", "all workers move", "ns3::odcn::IcciFirstPolicy", {{"Search", "All"}}},
          {"greedy-now",
           "greedy by the present load",
           "ns3::odcn::IcciGreedyPolicy",
           {{"Outlook", "0"}}},
          {"greedy-eq12", "greedy by Eq. 12", "ns3::odcn::IcciGreedyPolicy", {}},
          // A worker weighs as much as two hotspot blocks: doc/results/icci.md.
          {"greedy",
           "greedy by Eq. 12, workers moved weigh more",
           "ns3::odcn::IcciGreedyPolicy[Moved=12]",
           {}},
          {"greedy-dwa",
           "greedy, with wavelengths",
           "ns3::odcn::IcciGreedyPolicy[Moved=12]",
           {{"Wavelengths", "true"}}},
          {"hindsight",
           "best actions found for a day that is known",
           HINDSIGHT + "Start=greedy]",
           {}},
          {"hindsight-dwa",
           "the same, with wavelengths",
           HINDSIGHT + "Start=greedy-dwa]",
           {{"Wavelengths", "true"}}},
          {"linear", "weighted sum of features of a move", LINEAR, {{"State", "Moves"}}},
          {"linear-dwa",
           "weighted sum, with wavelengths",
           LINEAR,
           {{"State", "Moves"}, {"Wavelengths", "true"}}},
          {"agent", "trained network", AGENT, {}},
          {"agent-dwa", "trained network, with wavelengths", AGENT, {{"Wavelengths", "true"}}},
          // "No prior knowledge of the tidal characteristics": rings by the present load.
          {"deephm-paper", "DeepHM", UNMASKED, {{"Outlook", "0"}}},
          {"deephm-dwa-paper",
           "DeepHM-DWA",
           UNMASKED,
           {{"Outlook", "0"}, {"Wavelengths", "true"}}}}},
    };
    return table;
}

/// @param problem TypeId name  @return Attribute set by the text after "@"; "" if there is none
std::string
GetSuffixAttribute(const std::string& problem)
{
    static const std::map<std::string, std::string> ATTRIBUTES{
        {"ns3::odcn::RddcAllocation", "Routing"},
        {"ns3::odcn::IcciMigration", "Outlook"},
    };
    const auto found = ATTRIBUTES.find(problem);
    return found == ATTRIBUTES.end() ? "" : found->second;
}

/**
 * @param words TypeId name of a policy, Attributes in brackets
 * @param more any name, Attributes in brackets
 * @return @p words with the Attributes of @p more added
 * @throws OdcnError when @p more has Attributes and the result is no policy
 */
std::string
AddAttributes(const std::string& words, const std::string& more)
{
    const auto added = ObjectText::Parse("policy", more).attributes;
    if (added.empty())
    {
        return words;
    }
    auto text = ObjectText::Parse("policy", words);
    for (const auto& [name, value] : added)
    {
        text.attributes[name] = value;
    }
    DecisionPolicy::Create(text.Write());
    return text.Write();
}

} // namespace

bool
PolicyChoice::IsTrained() const
{
    return FindTrained(words.substr(0, words.find('['))) != nullptr;
}

std::string
PolicyChoice::GetForm() const
{
    return GetFile().empty() ? words : words.substr(0, words.find('['));
}

std::string
PolicyChoice::GetFile() const
{
    const auto text = ObjectText::Parse("policy", words);
    const TrainedType* trained = FindTrained(text.type);
    const auto file = trained ? text.attributes.find(trained->attribute) : text.attributes.end();
    return file == text.attributes.end() ? "" : file->second;
}

void
PolicyChoice::SetFile(const std::string& file)
{
    auto text = ObjectText::Parse("policy", words);
    const TrainedType* trained = FindTrained(text.type);
    if (!trained || text.attributes.contains(trained->instead))
    {
        return;
    }
    const auto named = text.attributes.emplace(trained->attribute, file).first->second;
    if (!std::filesystem::is_regular_file(named))
    {
        throw OdcnError::InOption("policy " + name, named, trained->what);
    }
    words = text.Write();
}

Ptr<DecisionPolicy>
PolicyChoice::Create() const
{
    return DecisionPolicy::Create(words);
}

void
PolicyChoice::Apply(DecisionProblem& problem) const
{
    for (const auto& [attribute, value] : settings)
    {
        problem.Set(attribute, value);
    }
}

void
PolicyChoice::Configure(DecisionProblem& problem, DecisionPolicy& policy) const
{
    Apply(problem);
    const uint32_t actions = problem.GetNActions();
    policy.Configure(problem);
    // A policy may change what is observed, but not what is decided.
    if (problem.GetNActions() != actions)
    {
        throw OdcnError::InOption("policy " + name,
                                  "a file trained with " + std::to_string(problem.GetNActions()) +
                                      " actions",
                                  "one trained with " + std::to_string(actions));
    }
}

void
PolicyRegistry::Add(const std::string& problem, const PolicyChoice& choice)
{
    auto& known = GetTable()[problem];
    std::erase_if(known, [&](const PolicyChoice& other) { return other.name == choice.name; });
    known.push_back(choice);
}

const std::vector<PolicyChoice>&
PolicyRegistry::Get(std::string_view problem)
{
    return GetTable()[std::string(problem)];
}

PolicyChoice
PolicyRegistry::Find(const std::string& problem, const std::string& text)
{
    const std::string attribute = GetSuffixAttribute(problem);
    const auto at = attribute.empty() ? std::string::npos : text.rfind('@');
    const std::string plain = text.substr(0, at);
    const std::string alias = plain.substr(0, plain.find('['));
    PolicyChoice choice;
    std::string names;
    for (const auto& known : Get(problem))
    {
        names += known.name + ", ";
        if (known.name == alias)
        {
            choice = known;
            choice.words = AddAttributes(known.words, plain);
        }
    }
    if (choice.words.empty())
    {
        const auto extension = std::filesystem::path(plain).extension();
        const auto trained =
            std::find_if(TRAINED.begin(),
                         TRAINED.end(),
                         [&](const TrainedType& t) { return extension == t.extension; });
        if (trained != TRAINED.end())
        {
            choice.words = trained->type;
            choice.name = text;
            choice.SetFile(plain);
        }
        else
        {
            DecisionPolicy::Create(plain, names.empty() ? "" : names + "or ");
            choice.words = plain;
        }
    }
    choice.name = text;
    if (at != std::string::npos)
    {
        choice.settings[attribute] = text.substr(at + 1);
    }
    return choice;
}

} // namespace ns3::odcn
