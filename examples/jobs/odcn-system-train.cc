// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-system.h"

#if ODCN_HAVE_TRAINING
#include "ns3/odcn-learner.h"
#include "ns3/odcn-training.h"
#endif
#include "ns3/double.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-object-text.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

using namespace ns3;
using namespace ns3::odcn;

void
OdcnTraining::AddOptions(OdcnCommandLine& cmd)
{
    cmd.AddWord(
        "agent",
        "what to train: ppo (one network for all patterns), experts (one that imitates the best "
        "policy of each pattern), paper (the paper's method, with a learning rate of 1e-4), mended "
        "(with a mask and normalised steps), odcn (clone a "
        "rule, then A2C) or evolution (of a weighted sum); the options below override parts",
        agent,
        {"ppo", "experts", "odcn", "paper", "mended", "evolution"});
    cmd.AddValue("learner",
                 "a learner with Attributes in brackets, e.g. PpoLearner[Gamma=0.95]",
                 learner);
    cmd.AddValue("network",
                 "a network with options in brackets, e.g. Mlp[layers=5|units=128]",
                 network);
    cmd.AddValue("teacher",
                 "policy that is cloned or fills data centres, or one for each pattern: "
                 "ring:odcn-score,star:odcn-jcb",
                 teacher);
    cmd.AddWord("state", "Paper, Placement or Traffic", state, {"Paper", "Placement", "Traffic"});
    cmd.AddValue("trainPatterns", "comma-separated job patterns", patterns);
    cmd.AddValue("trainLoads", "comma-separated loads", loads);
    cmd.AddValue("trainJobs", "total number of training jobs", jobs);
    cmd.AddValue("epochs",
                 "epochs, each from states reached by the teacher; 0 for the recipe's",
                 epochs);
    cmd.AddValue("environments", "parallel data centres; 0 for the recipe's", environments);
    cmd.AddRange("cloneDecisions",
                 "teacher's decisions to clone; -1 for the recipe\'s",
                 cloneDecisions,
                 -1.0);
    cmd.AddValue("evaluationDecisions",
                 "decisions of each evaluation problem",
                 evaluationDecisions);
    cmd.AddValue("generations", "evolution: number of generations", generations);
    cmd.AddValue("alpha",
                 "alpha of Eq. 1, the weight of latency, in ns; -1 for the recipe's",
                 alpha);
    cmd.AddRange("phiReconf", "Phi_reconf, the cost of a reconfiguration", phiReconf, 0.0);
    cmd.AddWord("charge",
                "Phi_reconf is charged OnceAJob or EachStep",
                charge,
                {"OnceAJob", "EachStep"});
    files.AddTo(cmd);
}

#if ODCN_HAVE_TRAINING

namespace
{

/// First random stream of training; evaluations do not use these streams.
constexpr int64_t TRAINING_STREAMS = 1000000;
/// Jobs by which evolution compares candidates.
constexpr double JOBS_THAT_COUNT = 2640;

/// A training recipe; options may replace every entry except the name.
struct Recipe
{
    const char* name;      //!< name in --agent
    const char* learner;   //!< specification of the learner
    const char* network;   //!< specification of the network
    const char* state;     //!< observation
    std::string teacher;   //!< rule that is cloned first, or that fills data centres
    const char* charge;    //!< how reconfigurations are charged
    double alpha;          //!< weight of latency, ns
    const char* patterns;  //!< job patterns; "" for --pattern
    const char* loads;     //!< loads; "" for --loads
    uint32_t environments; //!< problems, at least one for each pattern and load
    uint64_t epochs;       //!< number of epochs; 0: epochs of 3,000 decisions per problem
    bool warmUp;           //!< whether epochs begin in states reached by the teacher
};

/**
 * "paper" has the paper's hyper-parameters, the learner's defaults, but for the learning rate: with
 * the paper's 1e-3 it collapses within an epoch. "mended" prevents its collapse by masks, many data
 * centres, and smaller, normalised steps. "odcn" begins by cloning a rule. "evolution" optimizes
 * policies that are weighted sums. "ppo" trains one network for all patterns and several loads.
 * "experts" trains one that imitates the best policy of each pattern, in the states that it reaches
 * itself.
 */
const Recipe RECIPES[] = {
    {"paper",
     "A2cLearner[LearningRate=0.0001]",
     "Mlp",
     "Paper",
     "odcn-packing",
     "OnceAJob",
     100,
     "",
     "",
     1,
     100,
     false},
    {"mended",
     "A2cLearner[UseMask=true|Gamma=0.95|EpsilonMin=1|RewardScale=0.05|ClipGradient=0.5|"
     "LearningRate=0.0003|FinalLearningRate=0.05|EntropyWeight=0.02|NormalizeAdvantage=true]",
     "Mlp",
     "Paper",
     "odcn-packing",
     "OnceAJob",
     100,
     "",
     "",
     32,
     20,
     false},
    {"odcn",
     "A2cLearner[UseMask=true|Gamma=0.95|EpsilonMin=1|RewardScale=0.05|ClipGradient=0.5|"
     "LearningRate=0.0003|FinalLearningRate=0.05|EntropyWeight=0|UpdateSamples=25|"
     "CloneDecisions=300000|CloneLearningRate=0.002|EvaluationEpochs=8]",
     "Scorer",
     "Paper",
     "odcn-packing",
     "EachStep",
     100,
     "",
     "",
     32,
     0,
     true},
    {"evolution",
     "EvolutionLearner",
     "Linear",
     "Placement",
     "odcn-packing",
     "OnceAJob",
     100,
     "",
     "",
     2,
     20,
     false},
    {"ppo",
     "PpoLearner[Gamma=0.99|RewardScale=0.1|LearningRate=0.0005|FinalLearningRate=0.05|"
     "EntropyWeight=0.01|UpdateSamples=64|MinibatchSamples=576|Passes=3|EvaluationEpochs=3|"
     "CloneDecisions=200000|CloneLearningRate=0.001]",
     "Scorer[inputs=own|hidden=64,64|valueHidden=64,64]",
     "Placement",
     "odcn-score",
     "OnceAJob",
     1.3,
     "ring,bidirectional-ring,tree,star,random-p,full-mesh",
     "60,66,72",
     36,
     15,
     true},
    {"experts",
     "CloneLearner[UpdateSamples=16|CloneDecisions=200000|CloneOwnStates=0.5|LearningRate=0.001|"
     "FinalLearningRate=0.02]",
     "Scorer[inputs=own|hidden=128,128|valueHidden=64,64]",
     "Traffic",
     std::string("ring:") + GetDataFile("linear-odcn-16-tor.json") + ",bidirectional-ring:" +
         GetDataFile("linear-odcn-trees.json") + ",tree:" + GetDataFile("linear-odcn-trees.json") +
         ",star:" + GetDataFile("linear-odcn-star.json") + ",random-p:" +
         GetDataFile("linear-odcn-random-p.json") + ",full-mesh:" + GetDataFile("odcn-ppo.pt"),
     "OnceAJob",
     0.5,
     "ring,bidirectional-ring,tree,star,random-p,full-mesh",
     "66,72,60,78,54",
     30,
     6,
     true},
};

/// A teacher that leaves each decision to the policy named for the job pattern of the problem.
class PatternTeacher : public DecisionPolicy
{
  public:
    /// @param problem to be decided  @param policy that decides it
    void Add(Ptr<DecisionProblem> problem, Ptr<DecisionPolicy> policy)
    {
        m_experts[PeekPointer(problem)] = {problem, policy};
        if (std::find(m_policies.begin(), m_policies.end(), policy) == m_policies.end())
        {
            m_policies.push_back(policy);
        }
    }

    uint32_t Decide(const DecisionProblem& problem) override
    {
        auto& [own, policy] = m_experts.at(&problem);
        StringValue state;
        own->GetAttribute("State", state);
        // Trained experts read OdcnRackFeatures, whatever the problem shows the network.
        own->SetAttribute("State", StringValue("Placement"));
        const uint32_t action = policy->Decide(problem);
        own->SetAttribute("State", state);
        return action;
    }

    void Reset() override
    {
        for (const auto& policy : m_policies)
        {
            policy->Reset();
        }
    }

    int64_t AssignStreams(int64_t stream) override
    {
        int64_t used = 0;
        for (const auto& policy : m_policies)
        {
            used += policy->AssignStreams(stream + used);
        }
        return used;
    }

  private:
    /// A problem and the policy that decides it.
    using Expert = std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>>;

    std::map<const DecisionProblem*, Expert> m_experts; //!< by problem
    std::vector<Ptr<DecisionPolicy>> m_policies;        //!< each once
};

/// @param list comma-separated words or empty  @param one word for empty list  @param option name
/// @return the words
std::vector<std::string>
ListOr(const std::string& list, const std::string& one, const std::string& option)
{
    return list.empty() ? std::vector{one} : OdcnCommandLine::SplitList(list, option);
}

/**
 * @param system finds policies  @param words a policy, or pattern:policy for each pattern
 * @param patterns of the problems, in turn  @param problems of the training
 * @return the teacher
 */
Ptr<DecisionPolicy>
MakeTeacher(const OdcnSystem& system,
            const std::string& words,
            const std::vector<std::string>& patterns,
            const std::vector<Ptr<DecisionProblem>>& problems)
{
    std::map<std::string, Ptr<DecisionPolicy>> policies;
    for (const auto& entry : OdcnCommandLine::SplitList(words, "teacher"))
    {
        const auto colon = entry.find(':');
        if (colon == std::string::npos || entry.compare(colon, 2, "::") == 0)
        {
            return system.Find(words).Create();
        }
        policies[entry.substr(0, colon)] = system.Find(entry.substr(colon + 1)).Create();
    }
    auto teacher = CreateObject<PatternTeacher>();
    for (std::size_t i = 0; i < problems.size(); ++i)
    {
        const auto found = policies.find(patterns[i % patterns.size()]);
        OdcnCommandLine::Check(found != policies.end(),
                               "teacher",
                               words,
                               "a policy for the pattern " + patterns[i % patterns.size()]);
        teacher->Add(problems[i], found->second);
    }
    return teacher;
}

} // namespace

int
OdcnTraining::Run(const OdcnSystem& system, double load, const std::string& command) const
{
    OdcnCommandLine::Check(alpha >= 0 || alpha == -1, "alpha", alpha, "0 or more");
    OdcnCommandLine::Check(!system.checkpoint.empty(),
                           "checkpoint",
                           system.checkpoint,
                           "a file to write the agent to");
    Training training(system.checkpoint, files);
    training.SetCommand(command);
    if (training.IsDone())
    {
        return 0;
    }
    const Recipe& plan = *std::find_if(std::begin(RECIPES),
                                       std::end(RECIPES),
                                       [&](const Recipe& r) { return agent == r.name; });
    const auto patternList = ListOr(patterns.empty() ? plan.patterns : patterns,
                                    OdcnSystem::GetPattern(),
                                    "trainPatterns");
    std::vector<double> loadList{load};
    if (const std::string list = loads.empty() ? plan.loads : loads; !list.empty())
    {
        loadList = OdcnCommandLine::SplitNumbers(list, "trainLoads");
    }
    OdcnHelper helper;
    helper.SetProblemAttribute("State", StringValue(state.empty() ? plan.state : state));
    helper.SetProblemAttribute("PhiReconf", DoubleValue(phiReconf));
    helper.SetProblemAttribute("Alpha", DoubleValue(alpha < 0 ? plan.alpha : alpha));
    helper.SetProblemAttribute("Charge", StringValue(charge.empty() ? plan.charge : charge));
    // Problems cycle through all pairs of pattern and load; the learner assigns their streams.
    const auto makeProblems = [&](std::size_t n)
    {
        std::vector<Ptr<DecisionProblem>> problems;
        for (std::size_t i = 0; i < n; ++i)
        {
            helper.SetJobAttribute("Pattern", StringValue(patternList[i % patternList.size()]));
            problems.push_back(
                helper.CreateProblem(loadList[i / patternList.size() % loadList.size()]));
            problems.back()->Reset();
        }
        return problems;
    };

    const auto decisions = static_cast<uint64_t>(static_cast<double>(jobs) * DECISIONS_PER_JOB);
    const uint32_t n = environments ? environments : plan.environments;
    const auto words = learner.empty() ? plan.learner : learner;
    auto made = Learner::Create(words);
    files.Check(*made, learner);
    made->AssignStreams(TRAINING_STREAMS);
    const auto set = [&](const char* name, uint64_t value)
    { return ObjectText::SetDefault(*made, words, name, UintegerValue(value)); };
    const auto count = [](double n) { return static_cast<uint64_t>(n * DECISIONS_PER_JOB); };
    const double longest = *std::max_element(loadList.begin(), loadList.end());
    // A few mean job durations, so that the data centre reaches its steady load. The placement of
    // VMs converges more slowly than their number.
    set("EvaluationWarmUp", count(30 * longest));
    set("EvaluationDecisions", evaluationDecisions);
    if (set("Generations", generations))
    {
        const auto pairs = patternList.size() * loadList.size();
        set("Streams", std::max<std::size_t>(4, pairs));
        set("WarmUpDecisions", count(6 * longest));
        set("Decisions", count(JOBS_THAT_COUNT));
        set("EvaluationEpochs", 10);
    }
    else
    {
        const uint64_t parts = epochs ? epochs : plan.epochs;
        set("EpochDecisions",
            parts ? std::max<uint64_t>(1, decisions / parts) : uint64_t{3000} * n);
        if (plan.warmUp)
        {
            set("WarmUpDecisions", count(5 * longest));
        }
        if (agent != "paper")
        {
            set("ScheduleDecisions", decisions);
        }
        if (cloneDecisions >= 0)
        {
            made->SetAttributeFailSafe("CloneDecisions",
                                       UintegerValue(static_cast<uint64_t>(cloneDecisions)));
        }
    }
    made->SetNetwork(network.empty() ? plan.network : network);
    const auto problems = makeProblems(n);
    made->SetProblems(problems);
    // Evaluation problems have separate streams, used neither by training nor by the program.
    made->SetEvaluation(makeProblems(std::max<std::size_t>(8, patternList.size() * 2)));
    made->SetTeacher(
        MakeTeacher(system, teacher.empty() ? plan.teacher : teacher, patternList, problems));
    for (const auto& [key, value] :
         DescribeCentre(dynamic_cast<OdcnScheduling&>(*problems.front())))
    {
        training.AddProvenance(key, value);
    }
    const auto join = [](const auto& list)
    {
        std::ostringstream text;
        for (const auto& entry : list)
        {
            text << (text.tellp() > 0 ? "," : "") << entry;
        }
        return text.str();
    };
    training.AddProvenance("patterns", join(patternList));
    training.AddProvenance("loads", join(loadList));
    return training.Run(*made, decisions);
}

#else

int
OdcnTraining::Run(const OdcnSystem&, double, const std::string&) const
{
    throw OdcnError("--train: this odcn was built without agents, for want of LibTorch");
}

#endif
