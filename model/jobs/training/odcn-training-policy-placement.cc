// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-policy-placement.h"

#include "odcn-training-cluster.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-policy-registry.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(PolicyTrainingPlacement);
ODCN_REGISTER_TRAINING_PLACEMENT(PolicyTrainingPlacement, "policy")

TypeId
PolicyTrainingPlacement::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<PolicyTrainingPlacement, TrainingPlacement>("ns3::odcn::PolicyTrainingPlacement")
            .Add(Attribute("Policy", &PolicyTrainingPlacement::m_words, "least-total"),
                 "Policy of TrainingProblem: a name, a type, or the file of a trained one");
    return tid;
}

PolicyTrainingPlacement::PolicyTrainingPlacement() = default;

PolicyTrainingPlacement::~PolicyTrainingPlacement() = default;

void
PolicyTrainingPlacement::DoDispose()
{
    m_problem = nullptr;
    m_policy = nullptr;
    m_sketches.clear();
    TrainingPlacement::DoDispose();
}

void
PolicyTrainingPlacement::SetDesign(const FabricDesign& design)
{
    const Ptr<TrainingProblem> problem = CreateObject<TrainingProblem>();
    problem->SetDesign(design);
    const PolicyChoice choice = PolicyRegistry::Find(*problem, m_words);
    if (choice.bound)
    {
        throw OdcnError::InOption("Policy", m_words, "a policy, not a bound");
    }
    const Ptr<DecisionPolicy> policy = choice.Create();
    choice.Configure(*problem, *policy);
    problem->AssignStreams(0);
    problem->Reset();
    m_problem = problem;
    m_policy = policy;
    m_sketches.clear();
}

int64_t
PolicyTrainingPlacement::AssignStreams(int64_t stream)
{
    if (!m_problem)
    {
        return 0;
    }
    const int64_t used = m_problem->AssignStreams(stream);
    return used + m_policy->AssignStreams(stream + used);
}

std::shared_ptr<const TrainingSketch>
PolicyTrainingPlacement::GetSketch(const std::shared_ptr<const TrainingJob>& job,
                                   const TrainingCluster& cluster)
{
    std::shared_ptr<const TrainingSketch>& sketch = m_sketches[job];
    if (!sketch)
    {
        sketch = std::make_shared<const TrainingSketch>(*job,
                                                        m_problem->GetLink(),
                                                        cluster.GetAlgorithms());
    }
    return sketch;
}

std::vector<uint32_t>
PolicyTrainingPlacement::Choose(const TrainingCluster& cluster, uint32_t job)
{
    if (!m_problem)
    {
        throw OdcnError("placement policy: found no design, expected SetDesign() before");
    }
    const FabricSize size = m_problem->MakeDesign().GetSize();
    if (cluster.GetNRacks() != size.racks || cluster.GetPerRack() != size.servers ||
        cluster.GetNEndPoints() != size.racks * size.servers)
    {
        throw OdcnError("placement policy: found " + std::to_string(cluster.GetNEndPoints()) +
                        " end points, " + std::to_string(cluster.GetPerRack()) +
                        " in a rack; expected those of the design, " + size.Describe());
    }
    const std::vector<TrainingCluster::Outcome>& jobs = cluster.GetOutcomes();
    TrainingProblem::Question question;
    question.sketch = GetSketch(jobs[job].job, cluster);
    question.iterations = jobs[job].job->GetIterations();
    question.age = (cluster.GetNow() - jobs[job].arrival).GetSeconds();
    question.waiting = cluster.CountWaiting() - 1;
    for (uint32_t i = 0; i < jobs.size(); ++i)
    {
        if (cluster.HasPlaces(i))
        {
            const uint32_t iterations = jobs[i].job->GetIterations();
            const uint32_t ended = std::min(cluster.CountIterations(i), iterations - 1);
            question.running.push_back(
                {GetSketch(jobs[i].job, cluster), jobs[i].places, iterations, iterations - ended});
        }
    }
    m_problem->Follow(question);
    ++m_nDecisions;
    const uint32_t action = m_policy->Decide(*m_problem);
    std::vector<uint32_t> places = m_problem->GetPlaces(action);
    const bool waits =
        action == m_problem->GetAction(TrainingProblem::WAIT) && !question.running.empty();
    return places.empty() && !waits
               ? m_problem->GetPlaces(m_problem->GetAction(TrainingProblem::FIRST))
               : places;
}

} // namespace ns3::odcn
