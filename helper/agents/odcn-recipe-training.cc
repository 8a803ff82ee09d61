// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training.h"

#include "ns3/odcn-checkpoint.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-evolution-learner.h"
#include "ns3/odcn-learner.h"
#include "ns3/odcn-linear-policy.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-training-options.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

namespace
{

/// A teacher that leaves each decision to the policy of the problem's case.
class CaseTeacher : public DecisionPolicy
{
  public:
    /// @param problem to be decided
    /// @param policy that decides it
    void Add(Ptr<DecisionProblem> problem, Ptr<DecisionPolicy> policy)
    {
        // A trained policy observes what it was trained on, whatever the network observes.
        Expert& expert = m_experts[PeekPointer(problem)];
        expert = {problem, policy, {}, {}};
        const auto before = ObservationForm::Of(*problem).attributes;
        policy->Configure(*problem);
        for (const auto& [name, value] : ObservationForm::Of(*problem).attributes)
        {
            if (value != before.at(name))
            {
                expert.own.settings[name] = value;
                expert.network.settings[name] = before.at(name);
            }
        }
        expert.network.Apply(*problem);
        m_policies.push_back(policy);
    }

    uint32_t Decide(const DecisionProblem& problem) override
    {
        const Expert& expert = m_experts.at(&problem);
        expert.own.Apply(*expert.problem);
        const uint32_t action = expert.policy->Decide(problem);
        expert.network.Apply(*expert.problem);
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
            const int64_t more = policy->AssignStreams(stream + used);
            // The learner refuses this, too, but knows only the teacher of all cases.
            if (more > 0 && Ranks::GetLaunched().second > 1)
            {
                throw OdcnError("teacher: a policy that draws random numbers, " +
                                policy->GetInstanceTypeId().GetName() +
                                ", decides in one process only: each process has a copy");
            }
            used += more;
        }
        return used;
    }

  private:
    /// A problem and the policy that decides it.
    struct Expert
    {
        Ptr<DecisionProblem> problem; //!< the problem
        Ptr<DecisionPolicy> policy;   //!< the policy
        PolicyChoice own;             //!< settings while the policy observes
        PolicyChoice network;         //!< the same while the network does
    };

    std::map<const DecisionProblem*, Expert> m_experts; //!< by problem
    std::vector<Ptr<DecisionPolicy>> m_policies;        //!< in the order of the problems
};

/// @param type a type
/// @param name name of an Attribute
/// @return whether the type has it
bool
HasAttribute(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation found;
    return type.LookupAttributeByName(name, &found);
}

/// @param name name of an Attribute
/// @return whether any learner has it
bool
IsOfLearners(const std::string& name)
{
    bool found = false;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        found = found || (type.IsChildOf(Learner::GetTypeId()) && HasAttribute(type, name));
    }
    return found;
}

} // namespace

/// A training by a recipe, options and a program.
class RecipeTraining
{
  public:
    /// @param options of the user
    /// @param task of the program
    RecipeTraining(const TrainingOptions& options, const TrainingTask& task)
        : m_options(options),
          m_design(options.m_design),
          m_task(task),
          m_recipe(options.GetRecipe(task))
    {
    }

    /// @return exit status
    int Run();

  private:
    /// @param i number of a problem
    /// @param evaluation whether it is one for evaluation
    /// @return its case
    TrainingCase GetCase(std::size_t i, bool evaluation) const;

    /// @param key key of the recipe
    /// @param use uses its value; its errors get the file and the key
    void InRecipe(const std::string& key, const std::function<void()>& use) const;

    /// @param n number
    /// @param evaluation whether they are for evaluation
    /// @return new problems
    std::vector<Ptr<DecisionProblem>> MakeProblems(std::size_t n, bool evaluation) const;

    /// @param problems of the training
    /// @return the teacher; null without one
    Ptr<DecisionPolicy> MakeTeacher(const std::vector<Ptr<DecisionProblem>>& problems) const;

    /// @param problem of the training
    /// @return the sums among the teachers, each once: weights of its features, by name
    std::vector<std::vector<float>> GetSums(const DecisionProblem& problem) const;

    /// @param words of a teacher
    /// @return the policy
    Ptr<DecisionPolicy> FindTeacher(const std::string& words) const;

    /// @return the learner, with its Attributes
    Ptr<Learner> MakeLearner() const;

    /// @param learner with Attributes
    /// @return decisions at which the training ends
    uint64_t GetLimit(const Learner& learner) const;

    const TrainingOptions& m_options;           //!< of the user
    const TrainingDesign& m_design;             //!< of the program
    const TrainingTask& m_task;                 //!< of the program
    TrainingRecipe m_recipe;                    //!< with the options' values
    std::optional<Checkpoint> m_start;          //!< initial network, unless it is a new one
    std::optional<ObservationForm> m_startForm; //!< what it observes, or the sum to start from
    std::size_t m_nCases{1};                    //!< number of different cases
};

TrainingCase
RecipeTraining::GetCase(std::size_t i, bool evaluation) const
{
    // The first case changes fastest.
    TrainingCase made{{}, evaluation};
    for (const auto& one : m_design.cases)
    {
        const auto& list = m_recipe.cases.at(one.name);
        made.values[one.name] = list[i % list.size()];
        i /= list.size();
    }
    return made;
}

void
RecipeTraining::InRecipe(const std::string& key, const std::function<void()>& use) const
{
    try
    {
        use();
    }
    catch (const OdcnError& error)
    {
        throw OdcnError(m_recipe.file + ": " + key + ": " + error.what());
    }
}

std::vector<Ptr<DecisionProblem>>
RecipeTraining::MakeProblems(std::size_t n, bool evaluation) const
{
    std::vector<Ptr<DecisionProblem>> problems;
    for (std::size_t i = 0; i < n; ++i)
    {
        auto problem = m_task.create(GetCase(i, evaluation));
        std::vector<std::string> known;
        if (m_startForm)
        {
            m_startForm->Apply(*problem, m_recipe.start);
            known = problem->GetFeatureNames();
        }
        for (const auto& attribute : m_recipe.problemAttributes)
        {
            InRecipe("problemAttributes",
                     [&]() { problem->Set(attribute.first, attribute.second); });
        }
        // What the training begins with keeps the weights of the first features.
        const auto features = problem->GetFeatureNames();
        OdcnCommandLine::Check(known.size() <= features.size() &&
                                   std::equal(known.begin(), known.end(), features.begin()),
                               "start",
                               m_recipe.start,
                               "a policy that observes the first features of the problem");
        problem->AssignStreams(m_design.stream);
        problem->Reset();
        problems.push_back(problem);
    }
    return problems;
}

Ptr<DecisionPolicy>
RecipeTraining::FindTeacher(const std::string& words) const
{
    return (m_task.find ? m_task.find(words) : PolicyRegistry::Find(m_design.problem, words))
        .Create();
}

std::vector<std::vector<float>>
RecipeTraining::GetSums(const DecisionProblem& problem) const
{
    std::map<std::string, Ptr<LinearPolicy>> known;
    for (const auto& [value, words] : m_recipe.teachers)
    {
        if (const auto sum = DynamicCast<LinearPolicy>(FindTeacher(words)))
        {
            known.emplace(words, sum);
        }
    }
    const auto names = problem.GetFeatureNames();
    std::vector<std::vector<float>> sums;
    for (const auto& [words, sum] : known)
    {
        const auto own = m_task.create(GetCase(0, false));
        sum->Configure(*own);
        const auto features = own->GetFeatureNames();
        OdcnCommandLine::Check(features.size() == sum->GetWeights().size(),
                               "teacher",
                               words + ", of " + std::to_string(sum->GetWeights().size()) +
                                   " weights",
                               std::to_string(features.size()) + " weights");
        auto& weights = sums.emplace_back(names.size(), 0.0F);
        for (std::size_t i = 0; i < features.size(); ++i)
        {
            const auto found = std::find(names.begin(), names.end(), features[i]);
            OdcnCommandLine::Check(found != names.end(),
                                   "teacher",
                                   words + ", which observes " + features[i],
                                   "a sum of features that the network observes");
            weights[found - names.begin()] = sum->GetWeights().at(i);
        }
    }
    return sums;
}

Ptr<DecisionPolicy>
RecipeTraining::MakeTeacher(const std::vector<Ptr<DecisionProblem>>& problems) const
{
    const auto& teachers = m_recipe.teachers;
    if (teachers.empty())
    {
        return nullptr;
    }
    for (const auto& [value, words] : teachers)
    {
        FindTeacher(words);
    }
    auto teacher = CreateObject<CaseTeacher>();
    for (std::size_t i = 0; i < problems.size(); ++i)
    {
        auto found = teachers.find("");
        if (found == teachers.end())
        {
            const auto values = GetCase(i, false).values;
            const std::string value = values.empty() ? "" : values.at(m_design.cases.front().name);
            found = teachers.find(value);
            OdcnCommandLine::Check(found != teachers.end(),
                                   "teacher",
                                   "none for " + value,
                                   "a policy for each case");
        }
        // A policy may remember the job that it decides, so that each problem has its own.
        teacher->Add(problems[i], FindTeacher(found->second));
    }
    return teacher;
}

Ptr<Learner>
RecipeTraining::MakeLearner() const
{
    const bool isGiven = !m_options.m_learner.empty();
    TypeId type;
    const auto find = [&]() { type = Learner::Create(m_recipe.learner)->GetInstanceTypeId(); };
    isGiven ? find() : InRecipe("learner", find);
    auto text = ObjectText::Parse("learner", m_recipe.learner);
    const auto own = text.attributes;
    const auto isInOption = [&](const std::string& name) { return isGiven && own.contains(name); };
    const auto setDefault = [&](const std::string& name, const std::string& value)
    {
        OdcnCommandLine::Check(IsOfLearners(name),
                               m_recipe.file,
                               name,
                               "in learnerDefaults and durations Attributes of learners");
        if (HasAttribute(type, name))
        {
            text.attributes.emplace(name, value);
        }
    };
    for (const auto& [name, value] : m_recipe.learnerDefaults)
    {
        setDefault(name, value);
    }
    double duration = 0;
    for (std::size_t i = 0; i < m_nCases && m_task.duration; ++i)
    {
        duration = std::max(duration, m_task.duration(GetCase(i, false)));
    }
    for (const auto& [name, n] : m_recipe.durations)
    {
        setDefault(name, std::to_string(static_cast<uint64_t>(n * duration)));
    }
    setDefault("EpochDecisions",
               std::to_string(m_recipe.epochs
                                  ? std::max<uint64_t>(1, m_recipe.decisions / m_recipe.epochs)
                                  : TrainingRecipe::EPOCH_DECISIONS * m_recipe.problems));
    if (m_recipe.schedule)
    {
        setDefault("ScheduleDecisions", std::to_string(m_recipe.decisions));
    }
    InRecipe("learnerDefaults", [&]() { Learner::Create(text.Write()); });
    const auto require = [&](const std::string& option, const std::string& name)
    {
        m_options.m_line->Require(HasAttribute(type, name),
                                  option,
                                  "only with a learner that has the Attribute " + name);
        m_options.m_line->Require(!isInOption(name),
                                  option,
                                  "only without " + name + " in --learner");
    };
    require("epochs", "EpochDecisions");
    for (const auto& option : TrainingOptions::GetLearnerOptions())
    {
        const std::string name = option.attribute;
        require(option.name, name);
        TypeId::AttributeInformation attribute;
        if (const auto& value = m_options.m_learnerValues.at(option.name);
            !value.empty() && !isInOption(name) && type.LookupAttributeByName(name, &attribute))
        {
            OdcnCommandLine::CheckValue(*attribute.checker, option.name, value);
            OdcnCommandLine::Check(ParseFinite(value).value_or(0) <=
                                       static_cast<double>(option.most),
                                   option.name,
                                   value,
                                   "at most " + std::to_string(option.most));
            text.attributes[name] = value;
        }
    }
    const auto learner = Learner::Create(text.Write());
    if (UintegerValue streams;
        learner->GetAttributeFailSafe("Streams", streams) && !own.contains("Streams"))
    {
        // An evolution compares its candidates in all cases.
        learner->SetAttribute("Streams",
                              UintegerValue(std::max<uint64_t>(streams.Get(), m_nCases)));
    }
    learner->AssignStreams(m_design.stream);
    return learner;
}

uint64_t
RecipeTraining::GetLimit(const Learner& learner) const
{
    UintegerValue generations(0);
    learner.GetAttributeFailSafe("Generations", generations);
    const bool byGenerations =
        generations.Get() > 0 && m_options.decisions == 0 && !m_design.decisionsLimitGenerations;
    return byGenerations ? UINT64_MAX : m_recipe.decisions;
}

int
RecipeTraining::Run()
{
    Training training(m_task.checkpoint, m_options.resume);
    training.SetCommand(m_options.m_line->GetCommand());
    training.AddFile(m_recipe.file);
    training.AddFile(m_recipe.start);
    for (const auto& [value, words] : m_recipe.teachers)
    {
        training.AddFile(words);
    }
    training.SetShare(m_design.isShare);
    if (training.IsDone())
    {
        return 0;
    }
    for (const auto& one : m_design.cases)
    {
        std::string list;
        for (const auto& value : m_recipe.cases.at(one.name))
        {
            list += (list.empty() ? "" : ",") + value;
        }
        m_nCases *= m_recipe.cases.at(one.name).size();
        training.AddProvenance(one.name, list);
    }
    if (!TrainingRecipe::List(m_design.system).contains(m_options.agent))
    {
        training.AddProvenance("recipe", m_recipe.text);
    }
    const auto learner = MakeLearner();
    auto evolution = DynamicCast<EvolutionLearner>(learner);
    if (evolution && m_recipe.start.ends_with(".json"))
    {
        LinearPolicy policy;
        policy.SetFile(m_recipe.start);
        evolution->SetStart(policy);
        m_startForm = policy.GetForm();
        training.AddProvenance("start", m_recipe.start);
        m_recipe.network = "Linear";
    }
    else if (!m_recipe.start.empty())
    {
        m_start = Checkpoint::Read(m_recipe.start);
        m_startForm = m_start->form;
    }
    const auto problems = MakeProblems(m_recipe.problems, false);
    learner->SetProblems(problems);
    if (m_task.describe)
    {
        for (const auto& [key, value] : m_task.describe(*problems.front()))
        {
            training.AddProvenance(key, value);
        }
    }
    if (const auto setting =
            PolicyRegistry::GetRecordedSetting(problems.front()->GetInstanceTypeId().GetName());
        !setting.empty())
    {
        training.AddProvenance(PolicyRegistry::GetRecordName(setting),
                               problems.front()->Get(setting));
    }
    const auto* first = m_design.cases.empty() ? nullptr : &m_design.cases.front().name;
    learner->SetEvaluation(
        MakeProblems(std::max<std::size_t>(m_recipe.evaluationProblems,
                                           first ? 2 * m_recipe.cases.at(*first).size() : 1),
                     true));
    learner->SetTeacher(MakeTeacher(problems));
    if (m_start)
    {
        learner->SetNetwork(m_start->Extend(*problems.front(), m_recipe.start));
        learner->SetAttributeFailSafe("CloneDecisions", UintegerValue(0));
        training.AddProvenance("start", m_recipe.start);
        if (const auto found = m_start->provenance.find("command");
            found != m_start->provenance.end())
        {
            training.AddProvenance("startCommand", found->second);
        }
    }
    else
    {
        learner->SetNetwork(m_recipe.network);
        learner->SetSums([&] { return GetSums(*problems.front()); });
    }
    return training.Run(*learner, GetLimit(*learner));
}

namespace
{

/// Programs call it through TrainingOptions::Run(), so that they link without this library.
const bool ADDED = []()
{
    TrainingOptions::GetTrainer() = [](const TrainingOptions& options, const TrainingTask& task)
    { return RecipeTraining(options, task).Run(); };
    return true;
}();

} // namespace

} // namespace ns3::odcn
