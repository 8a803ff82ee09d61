// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-options.h"

#include "ns3/odcn-agent-library.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <filesystem>

namespace ns3::odcn
{

namespace
{

/// @param map any
/// @return its keys, separated by commas
template <typename T>
std::string
ListKeys(const std::map<std::string, T>& map)
{
    std::string keys;
    for (const auto& [key, value] : map)
    {
        keys += (keys.empty() ? "" : ", ") + key;
    }
    return keys;
}

/// @param name name with or without namespace
/// @return the part behind the last "::"
std::string
GetLastName(const std::string& name)
{
    const auto colons = name.rfind("::");
    return colons == std::string::npos ? name : name.substr(colons + 2);
}

/// @param words of --teacher: a policy, or VALUE:POLICY for each value of the first case
/// @return TrainingRecipe::teachers
std::map<std::string, std::string>
SplitTeachers(const std::string& words)
{
    std::map<std::string, std::string> teachers;
    for (const auto& entry : OdcnCommandLine::SplitList(words, "teacher"))
    {
        const auto colon = entry.find(':');
        if (colon == std::string::npos || entry.compare(colon, 2, "::") == 0)
        {
            return {{"", words}};
        }
        teachers[entry.substr(0, colon)] = entry.substr(colon + 1);
    }
    return teachers;
}

} // namespace

const std::vector<TrainingOptions::LearnerOption>&
TrainingOptions::GetLearnerOptions()
{
    static const std::vector<LearnerOption> OPTIONS{
        {"generations", "Generations", "evolution: number of generations"},
        {"cloneDecisions", "CloneDecisions", "decisions of the teacher to imitate first"},
        {"evaluationDecisions", "EvaluationDecisions", "decisions of each evaluation problem"},
        {"learningRate", "LearningRate", "initial learning rate", 1},
        {"threads", "Threads", "threads of the learner"},
    };
    return OPTIONS;
}

TrainingOptions::TrainingOptions(TrainingDesign design)
    : agent(design.agent),
      m_design(std::move(design))
{
    m_design.attributes["ownReward"] = "ns3::odcn::DecisionProblem::OwnReward";
}

void
TrainingOptions::AddTo(OdcnCommandLine& line)
{
    std::string names;
    for (const auto& [name, file] : TrainingRecipe::List(m_design.system))
    {
        names += (names.empty() ? "" : ", ") + name;
        try
        {
            names += " (" + TrainingRecipe::Read(file).about + ")";
        }
        catch (const OdcnError&)
        {
            // Its error is told when it is used.
        }
    }
    line.SetGroup("Training", "train");
    line.AddValue("train", "train an agent instead of comparing", train);
    line.AddValue("agent",
                  "what to train, a recipe: " + names +
                      "; or the file of another one. The options below override parts",
                  agent);
    const bool ofJobs = m_design.decisionsPerJob > 0;
    line.AddValue(ofJobs ? "trainJobs" : "trainDecisions",
                  std::string("total number of ") + (ofJobs ? "jobs" : "decisions") +
                      "; 0 for the recipe's",
                  decisions);
    AddPartsTo(line);
}

void
TrainingOptions::AddPartsTo(OdcnCommandLine& line)
{
    m_line = &line;
    line.AddValue("learner",
                  "a learner with Attributes in brackets, e.g. PpoLearner[Gamma=0.95]",
                  m_learner);
    line.AddValue("network",
                  "a network with options in brackets, e.g. Mlp[layers=5|units=128], or Linear, "
                  "which only EvolutionLearner supports",
                  m_network);
    line.AddValue("start",
                  "checkpoint of the initial network, which is not cloned, instead of the recipe's",
                  m_start);
    line.Restrict({"network", "cloneDecisions"}, {"!start"});
    std::string teacher = "policy that is cloned or fills problems";
    for (const auto& one : m_design.cases)
    {
        line.AddValue(one.option, one.help, m_cases[one.name]);
    }
    if (!m_design.cases.empty())
    {
        teacher += ", or VALUE:POLICY for each value of " + m_design.cases.front().option;
    }
    line.AddValue("teacher", teacher, m_teacher);
    for (const auto& [option, path] : m_design.attributes)
    {
        line.AddValue(option, path, &m_attributes[option]);
    }
    line.AddValue(m_design.problems, "number of parallel problems; 0 for the recipe's", m_problems);
    line.AddValue("epochs", "number of epochs; 0 for the recipe's", m_epochs);
    for (const auto& option : GetLearnerOptions())
    {
        line.AddValue(option.name,
                      std::string(option.help) + ", instead of the recipe's",
                      m_learnerValues[option.name]);
    }
    line.AddValue("resume", "resume an interrupted training, if there is one", resume);
}

std::string
TrainingOptions::GetName() const
{
    return std::filesystem::path(agent).stem().string();
}

TrainingRecipe
TrainingOptions::GetRecipe(const TrainingTask& task) const
{
    const auto shipped = TrainingRecipe::List(m_design.system);
    const auto found = shipped.find(agent);
    if (found == shipped.end() && !agent.ends_with(".json"))
    {
        throw OdcnError::InOption("agent",
                                  agent,
                                  ListKeys(shipped) + ", or a file of a recipe (.json)");
    }
    auto recipe = TrainingRecipe::Read(found == shipped.end() ? agent : found->second);
    OdcnCommandLine::Check(GetLastName(recipe.problem) == GetLastName(m_design.problem),
                           recipe.file + ": problem",
                           recipe.problem,
                           GetLastName(m_design.problem));
    for (const auto& [name, list] : recipe.cases)
    {
        OdcnCommandLine::Check(m_cases.contains(name),
                               recipe.file + ": cases",
                               name,
                               m_cases.empty() ? "none" : "one of " + ListKeys(m_cases));
    }
    for (const auto& one : m_design.cases)
    {
        auto& list = recipe.cases[one.name];
        if (const auto& given = m_cases.at(one.name); !given.empty())
        {
            list = OdcnCommandLine::SplitList(given, one.option);
        }
        else if (list.empty())
        {
            list = {task.cases.at(one.name)};
        }
    }
    for (const auto& [option, path] : m_design.attributes)
    {
        if (const auto& given = m_attributes.at(option); !given.empty())
        {
            recipe.problemAttributes[GetLastName(path)] = given;
        }
    }
    const auto take = [](auto& value, const auto& given)
    { value = given == std::decay_t<decltype(given)>{} ? value : given; };
    take(recipe.learner, m_learner);
    if (!m_network.empty() || !m_start.empty())
    {
        recipe.network = m_network;
        recipe.start = m_start;
    }
    take(recipe.problems, m_problems);
    take(recipe.epochs, m_epochs);
    if (decisions > 0)
    {
        const double perJob = m_design.decisionsPerJob > 0 ? m_design.decisionsPerJob : 1;
        recipe.decisions = static_cast<uint64_t>(static_cast<double>(decisions) * perJob);
    }
    if (!m_teacher.empty())
    {
        recipe.teachers = SplitTeachers(m_teacher);
    }
    return recipe;
}

TrainingOptions::Trainer&
TrainingOptions::GetTrainer()
{
    static Trainer trainer;
    return trainer;
}

int
TrainingOptions::Run(const TrainingTask& task) const
{
    OdcnCommandLine::Check(!task.checkpoint.empty(),
                           "checkpoint",
                           task.checkpoint,
                           "a file to write the agent to");
    if (!m_line)
    {
        throw OdcnError("TrainingOptions: AddTo() first");
    }
    AgentLibrary::Open("--train");
    return GetTrainer()(*this, task);
}

} // namespace ns3::odcn
