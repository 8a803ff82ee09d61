// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The Python module _odcn: decision problems that are stepped in C++, and rules. odcn.py gives them
 * the interface of Gymnasium. The module does not load LibTorch, so it works beside any version of
 * PyTorch.
 */

#include "odcn-python.h"

#include "python-settings.h"

#include "ns3/cluster-helper.h"
#include "ns3/double.h"
#include "ns3/icci-helper.h"
#include "ns3/object-factory.h"
#include "ns3/odcn-agent-library.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-matching-problem.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-run-guard.h"
#include "ns3/odcn-shared-library.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-training-problem.h"
#include "ns3/odcn-worker-team.h"
#include "ns3/otn-mesh.h"
#include "ns3/pointer.h"
#include "ns3/rddc-helper.h"
#include "ns3/rddc-topology.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace odcn_python;
using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Version of pybind11 that compiles this.
const std::string PYBIND11_VERSION =
    PYBIND11_TOSTRING(PYBIND11_VERSION_MAJOR) "." PYBIND11_TOSTRING(PYBIND11_VERSION_MINOR);

/// @param settings of the user  @return the problem of OdcnHelper
Ptr<DecisionProblem>
MakeOdcn(Settings& settings)
{
    OdcnHelper helper;
    settings.Apply(NMgr::GetTypeId(),
                   [&](const auto& name, const auto& value)
                   { helper.SetNetworkAttribute(name, value); });
    settings.Apply(CsMgr::GetTypeId(),
                   [&](const auto& name, const auto& value)
                   { helper.SetComputeAttribute(name, value); });
    const auto jobs = helper.CreateJobs(settings.TakeNumber("load", 66));
    settings.Apply(*jobs);
    return helper.CreateProblem(jobs);
}

/// @param settings of the user  @return the problem of RddcHelper
Ptr<DecisionProblem>
MakeRddc(Settings& settings)
{
    RddcHelper helper;
    settings.Apply(RddcTopology::GetTypeId(),
                   [&](const auto& name, const auto& value)
                   { helper.SetTopologyAttribute(name, value); });
    settings.Apply(RddcManager::GetTypeId(),
                   [&](const auto& name, const auto& value)
                   { helper.SetManagerAttribute(name, value); });
    helper.SetLoad(settings.TakeNumber("load", 0.95));
    const auto requests = helper.CreateRequests();
    settings.Apply(*requests);
    return helper.CreateProblem(requests);
}

/// @param settings of the user  @return the problem of ClusterHelper
Ptr<DecisionProblem>
MakeCluster(Settings& settings)
{
    const double load = settings.TakeNumber("load", 0);
    if (load > 0 && settings.Has("Rate"))
    {
        throw OdcnError("load and Rate: set one of them, each determines the other");
    }
    ClusterHelper helper;
    settings.Apply(ClusterScheduling::GetTypeId(),
                   [&](const auto& name, const auto& value)
                   { helper.SetProblemAttribute(name, value); });
    settings.Apply(ClusterJobGenerator::GetTypeId(),
                   [&](const auto& name, const auto& value)
                   { helper.SetJobAttribute(name, value); });
    return helper.CreateProblem(helper.CreateJobs(load));
}

/// @param settings of the user  @return the problem of IcciHelper
Ptr<DecisionProblem>
MakeIcci(Settings& settings)
{
    IcciHelper helper;
    helper.SetMesh(OtnMesh::Read(settings.Take("mesh", GetDataFile("sf-bay-22-38.json"))));
    helper.SetPreset(settings.Take("preset", "stated"));
    settings.Apply(IcciManager::GetTypeId(),
                   [&](const auto& name, const auto& value)
                   { helper.SetManagerAttribute(name, value); });
    settings.Apply(IcciTide::GetTypeId(),
                   [&](const auto& name, const auto& value)
                   { helper.SetTideAttribute(name, value); });
    settings.Apply(IcciTaskGenerator::GetTypeId(),
                   [&](const auto& name, const auto& value)
                   { helper.SetTaskAttribute(name, value); });
    return helper.CreateProblem();
}

/// @tparam T a problem with an Attribute Load, drawn
/// @param settings of the user  @return the problem
template <typename T>
Ptr<DecisionProblem>
MakeWithLoad(Settings& settings)
{
    const double load = settings.TakeNumber("load", 0);
    if (load > 0 && settings.Has("Load"))
    {
        throw OdcnError("load and Load: set one of them, load is a constant Load");
    }
    auto problem = CreateObject<T>();
    if (load > 0)
    {
        problem->SetAttribute(
            "Load",
            PointerValue(
                CreateObjectWithAttributes<ConstantRandomVariable>("Constant", DoubleValue(load))));
    }
    return problem;
}

/// A decision problem that can be made.
struct Kind
{
    std::string name; //!< of the program that measures it; of the type if there is none
    TypeId type;      //!< type of the problem
    Ptr<DecisionProblem> (*make)(Settings& settings); //!< creates it; null: without a helper
    bool hasJobs{false}; //!< whether one job (request, task) may take several decisions
};

/// @return all of them: those with a program, then those that a user's library added
std::vector<Kind>
GetKinds()
{
    std::vector<Kind> kinds{
        {"odcn-drl-scheduling", OdcnScheduling::GetTypeId(), MakeOdcn, true},
        {"rddc-nara-allocation", RddcAllocation::GetTypeId(), MakeRddc, true},
        {"cluster-job-scheduling", ClusterScheduling::GetTypeId(), MakeCluster, true},
        {"icci-hotspot-migration", IcciMigration::GetTypeId(), MakeIcci, true},
        {"matching-agent", MatchingProblem::GetTypeId(), MakeWithLoad<MatchingProblem>},
        {"training-jobs", TrainingProblem::GetTypeId(), MakeWithLoad<TrainingProblem>, true},
    };
    const std::size_t n = kinds.size();
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(DecisionProblem::GetTypeId()) && type.HasConstructor() &&
            std::none_of(kinds.begin(),
                         kinds.begin() + n,
                         [&](const Kind& kind) { return kind.type == type; }))
        {
            kinds.push_back({type.GetName(), type, nullptr});
        }
    }
    return kinds;
}

/// @param name program, or TypeId name  @return the problem  @throws OdcnError if there is none
Kind
FindKind(const std::string& name)
{
    std::string names;
    for (const Kind& kind : GetKinds())
    {
        const std::string type = kind.type.GetName();
        if (name == kind.name || name == type || "ns3::odcn::" + name == type)
        {
            return kind;
        }
        names += kind.name + ", ";
    }
    throw OdcnError::InOption("problem",
                              name,
                              names + "or the TypeId name of a problem; load() adds yours");
}

/// @param kind of problem  @param texts settings of the user  @return the problem, not yet reset
Ptr<DecisionProblem>
MakeProblem(const Kind& kind, const Texts& texts)
{
    Settings settings(texts);
    const auto problem = kind.make ? kind.make(settings)
                                   : ObjectFactory(kind.type.GetName()).Create<DecisionProblem>();
    settings.Finish(*problem);
    return problem;
}

/**
 * A number of problems of one kind, which take their steps together. Numbers of all of them lie in
 * arrays that belong to this object and are overwritten by each step. A step runs without Python's
 * lock: what another thread calls meanwhile is refused.
 */
class Environments
{
  public:
    /**
     * @param name program, or TypeId name  @param texts Attributes and options
     * @param n number of problems  @param threads that step them  @param jobs jobs after which an
     * episode is truncated; 0 for never  @param autoReset whether an episode follows the other
     * @param policy for Decide(); empty for none
     */
    Environments(const std::string& name,
                 const Texts& texts,
                 std::size_t n,
                 uint32_t threads,
                 uint64_t jobs,
                 bool autoReset,
                 const std::string& policy)
        : m_jobs(jobs),
          m_autoReset(autoReset)
    {
        if (n < 1 || threads < 1)
        {
            throw OdcnError("num_envs and threads: expected 1 or more");
        }
        const auto share = ShareRuns();
        m_nThreads = static_cast<uint32_t>(std::min<std::size_t>(n, threads));
        m_team = std::make_unique<WorkerTeam>(m_nThreads);
        const Kind kind = FindKind(name);
        m_hasJobs = kind.hasJobs;
        m_environments.resize(n);
        for (auto& e : m_environments)
        {
            e.problem = MakeProblem(kind, texts);
            if (!policy.empty())
            {
                const auto choice = PolicyRegistry::Find(*e.problem, policy);
                e.policy = choice.Create();
                choice.Configure(*e.problem, *e.policy);
            }
        }
        DecisionProblem& problem = *PeekPointer(m_environments.front().problem);
        problem.Reset(); // sizes are known from now on
        m_nActions = problem.GetNActions();
        m_shape = problem.GetObservationShape();
        m_size = problem.GetObservationSize();
        m_featureNames = problem.GetFeatureNames();
        m_bounds = problem.GetObservationBounds();
        Require(m_bounds.size() == m_size, problem, "bounds");
        if (problem.GetGraph())
        {
            m_graph = *problem.GetGraph();
        }
        m_figures = problem.GetFigures();
        for (const std::string& cause : problem.GetCauses())
        {
            m_outcomeNames.push_back("blocked_" + cause);
        }
        m_outcomeNames.insert(m_outcomeNames.end(), {"reconfigurations", "latency_ns"});
        m_outcomes.resize(n * m_outcomeNames.size());
        m_observations.resize(n * m_size);
        m_finalObservations.resize(n * m_size);
        m_masks.resize(n * m_nActions);
        for (std::size_t i = 0; i < n; ++i)
        {
            Watch(i);
        }
        m_rewards.resize(n);
        m_terminated.resize(n);
        m_truncated.resize(n);
        m_finalFigures.resize(n * m_figures.size());
    }

    ~Environments()
    {
        if (getpid() != m_process)
        {
            (void)m_team.release(); // its threads are of another process
        }
    }

    Environments(const Environments&) = delete;
    Environments& operator=(const Environments&) = delete;

    /**
     * Begin an episode.
     * @param seeds run numbers; one that is empty continues the random streams
     * @param mask for each problem whether it begins one; empty for all
     */
    void Reset(const std::vector<std::optional<uint64_t>>& seeds, const std::vector<bool>& mask)
    {
        const std::size_t n = m_environments.size();
        if (seeds.size() != n)
        {
            throw OdcnError::InOption("seed",
                                      std::to_string(seeds.size()) + " seeds",
                                      std::to_string(n));
        }
        if (!mask.empty() && mask.size() != n)
        {
            throw OdcnError::InOption("reset_mask",
                                      std::to_string(mask.size()) + " values",
                                      std::to_string(n));
        }
        for (const auto& seed : seeds)
        {
            if (seed && *seed >= N_SEEDS)
            {
                throw OdcnError::InOption("seed", std::to_string(*seed), "less than 2^51");
            }
        }
        const auto lock = Lock();
        const auto share = ShareRuns();
        const RunGuard guard;
        for (std::size_t i = 0; i < m_environments.size(); ++i)
        {
            auto& e = m_environments[i];
            if (!mask.empty() && !mask[i])
            {
                continue;
            }
            if (seeds[i])
            {
                RngSeedManager::SetRun(*seeds[i]);
                const int64_t used = e.problem->AssignStreams(0);
                if (e.policy)
                {
                    e.policy->AssignStreams(std::max(used, Experiment::POLICY_STREAMS));
                }
            }
            Begin(e);
            Look(i);
            m_rewards[i] = 0;
            m_terminated[i] = 0;
            m_truncated[i] = 0;
        }
    }

    /// @param given actions of an integer type, one of each problem
    /// @return whether an episode ended
    bool Step(const py::object& given)
    {
        const std::size_t n = m_environments.size();
        const auto actions = py::array::ensure(given);
        if (!actions || actions.size() != static_cast<py::ssize_t>(n))
        {
            throw OdcnError::InOption("actions",
                                      std::to_string(actions ? actions.size() : 0) + " of them",
                                      std::to_string(n));
        }
        if (std::string_view("biu").find(actions.dtype().kind()) == std::string_view::npos)
        {
            throw OdcnError::InOption("type of actions", py::str(actions.dtype()), "integers");
        }
        const auto lock = Lock();
        const auto taken =
            py::array_t<int64_t, py::array::c_style | py::array::forcecast>::ensure(actions);
        m_actions.assign(taken.data(), taken.data() + n);
        for (std::size_t i = 0; i < n; ++i)
        {
            if (m_actions[i] < 0 || m_actions[i] >= static_cast<int64_t>(m_nActions))
            {
                throw OdcnError::InOption("action",
                                          std::to_string(m_actions[i]),
                                          "0 to " + std::to_string(m_nActions - 1));
            }
            if (m_environments[i].over)
            {
                throw OdcnError("no episode: reset() begins one");
            }
        }
        const auto share = ShareRuns();
        const py::gil_scoped_release release;
        m_team->Run(n,
                    [&](std::size_t begin, std::size_t end)
                    {
                        for (std::size_t i = begin; i < end; ++i)
                        {
                            StepOne(i, static_cast<uint32_t>(m_actions[i]));
                        }
                    });
        return std::any_of(m_environments.begin(),
                           m_environments.end(),
                           [](const Environment& e) { return e.ended; });
    }

    /// @return the policy's action in each problem
    py::array_t<int64_t> Decide()
    {
        const auto lock = Lock();
        const auto share = ShareRuns();
        py::array_t<int64_t> actions(static_cast<py::ssize_t>(m_environments.size()));
        for (std::size_t i = 0; i < m_environments.size(); ++i)
        {
            const auto& e = m_environments[i];
            if (!e.policy || e.over)
            {
                throw OdcnError(e.policy ? "no episode: reset() begins one"
                                         : "decide(): set policy= when you make the environment");
            }
            actions.mutable_at(i) = e.policy->Decide(*PeekPointer(e.problem));
        }
        return actions;
    }

    /// @return figures of merit of the present episode of each problem, by name
    std::map<std::string, std::vector<double>> GetFigures() const
    {
        const auto lock = Lock();
        std::map<std::string, std::vector<double>> figures;
        for (const auto& e : m_environments)
        {
            const auto values = Measure(*e.problem);
            for (std::size_t f = 0; f < m_figures.size(); ++f)
            {
                figures[m_figures[f].name].push_back(values[f].Get());
            }
        }
        return figures;
    }

    /// @return names of the figures of merit
    std::vector<std::string> GetFigureNames() const
    {
        std::vector<std::string> names;
        for (const auto& figure : m_figures)
        {
            names.push_back(figure.name);
        }
        return names;
    }

    /// @return what a step's outcome has: numbers of jobs placed, and blocked by each cause,
    /// circuits changed, latency with the last job placed
    const std::vector<std::string>& GetOutcomeNames() const
    {
        return m_outcomeNames;
    }

    /// @return number of actions
    uint32_t GetNActions() const
    {
        return m_nActions;
    }

    /// @return what describes one action, or one node of a graph; may be empty
    const std::vector<std::string>& GetFeatureNames() const
    {
        return m_featureNames;
    }

    /// @return a row of the least, and one of the greatest values of an observation
    py::array_t<float> GetBounds() const
    {
        py::array_t<float> rows({std::size_t{2}, m_size});
        for (std::size_t i = 0; i < m_size; ++i)
        {
            rows.mutable_at(0, i) = m_bounds[i].first;
            rows.mutable_at(1, i) = m_bounds[i].second;
        }
        return rows;
    }

    /// @return dimensions of an observation
    const std::vector<uint32_t>& GetShape() const
    {
        return m_shape;
    }

    /// @return sizes and structure of the graph that an observation describes; None if there is
    /// none
    py::object GetGraph() const
    {
        if (!m_graph)
        {
            return py::none();
        }
        std::array<std::vector<int64_t>, 2> ends;
        ends.fill(std::vector<int64_t>(m_graph->links));
        for (uint32_t node = 0; node < m_graph->nodes; ++node)
        {
            for (uint32_t i = m_graph->offsets[node]; i < m_graph->offsets[node + 1]; ++i)
            {
                if (node < m_graph->neighbours[i])
                {
                    ends[0][m_graph->linkOf[i]] = node;
                    ends[1][m_graph->linkOf[i]] = m_graph->neighbours[i];
                }
            }
        }
        using namespace py::literals;
        return py::dict("nodes"_a = std::array{m_graph->nodes, m_graph->nodeFeatures},
                        "edges"_a = std::array{m_graph->links, m_graph->linkFeatures},
                        "globals"_a = std::array{m_graph->globals},
                        "edge_index"_a = ends,
                        "candidates"_a = m_graph->candidates);
    }

    /// @param self this object in Python, which the array keeps alive
    /// @param values one block for each problem  @param shape of a block  @return a view of them
    template <typename T>
    py::array View(const py::object& self,
                   std::vector<T> Environments::*values,
                   const std::vector<uint32_t>& shape) const
    {
        std::vector<py::ssize_t> all{static_cast<py::ssize_t>(m_environments.size())};
        all.insert(all.end(), shape.begin(), shape.end());
        const py::dtype type = std::is_same_v<T, uint8_t> ? py::dtype("bool") : py::dtype::of<T>();
        return py::array(type, all, (this->*values).data(), self);
    }

    /// Make the views attributes of the class. @param c the class
    static void AddViews(py::class_<Environments>& c)
    {
        const auto add = [&c](const char* name, auto values, auto shape)
        {
            c.def_property_readonly(name,
                                    [values, shape](const py::object& self)
                                    {
                                        const auto& e = self.cast<const Environments&>();
                                        return e.View(self, values, shape(e));
                                    });
        };
        const auto state = [](const Environments& e) { return e.m_shape; };
        const auto none = [](const Environments&) { return std::vector<uint32_t>(); };
        add("observations", &Environments::m_observations, state);
        add("final_observations", &Environments::m_finalObservations, state);
        add("masks",
            &Environments::m_masks,
            [](const Environments& e) { return std::vector<uint32_t>{e.m_nActions}; });
        add("rewards", &Environments::m_rewards, none);
        add("terminated", &Environments::m_terminated, none);
        add("truncated", &Environments::m_truncated, none);
        add("outcomes",
            &Environments::m_outcomes,
            [](const Environments& e)
            { return std::vector<uint32_t>{static_cast<uint32_t>(e.m_outcomeNames.size())}; });
        add("final_figures",
            &Environments::m_finalFigures,
            [](const Environments& e)
            { return std::vector<uint32_t>{static_cast<uint32_t>(e.m_figures.size())}; });
    }

  private:
    /// One problem.
    struct Environment
    {
        Ptr<DecisionProblem> problem; //!< the problem
        Ptr<DecisionPolicy> policy;   //!< for Decide(); may be null
        std::vector<float> rewards{}; //!< working memory
        uint64_t decisions{0};        //!< of the episode
        bool ended{false};            //!< whether the last step ended an episode
        bool over{true};              //!< whether it waits for Reset()
    };

    /// @return a lock on the problems
    /// @throws OdcnError while another thread has it, and where threads of a parent process step it
    std::unique_lock<std::mutex> Lock() const
    {
        if (m_nThreads > 1 && getpid() != m_process)
        {
            throw OdcnError("threads of the process that this one was forked from step these "
                            "environments: make others");
        }
        std::unique_lock<std::mutex> lock(m_mutex, std::try_to_lock);
        if (!lock)
        {
            throw OdcnError("another thread is using this environment: expected one at a time");
        }
        return lock;
    }

    /// @param problem a problem
    /// @return its figures
    /// @throws OdcnError if it lacks some
    std::vector<FigureValue> Measure(const DecisionProblem& problem) const
    {
        auto values = problem.MeasureFigures();
        Require(values.size() == m_figures.size(), problem, "values of figures");
        return values;
    }

    /// @param holds whether a size is that of the arrays
    /// @param problem the problem
    /// @param size for the error
    /// @throws OdcnError unless it holds
    static void Require(bool holds, const DecisionProblem& problem, const char* size)
    {
        if (!holds)
        {
            throw OdcnError(problem.GetInstanceTypeId().GetName() + ": found another number of " +
                            size + " than at first, expected the same in each episode");
        }
    }

    /// Begin an episode.
    /// @param e the problem
    /// @throws OdcnError if it no longer fits the arrays
    void Begin(Environment& e) const
    {
        e.over = true;
        const auto& problem = *PeekPointer(e.problem);
        e.problem->ResetToDecision();
        Require(problem.GetNActions() == m_nActions, problem, "actions");
        Require(problem.GetObservationShape() == m_shape, problem, "observed values");
        Require(problem.GetFigures().size() == m_figures.size(), problem, "figures");
        if (e.policy)
        {
            e.policy->Reset();
        }
        e.decisions = 0;
        e.over = e.problem->IsDone();
    }

    /// Write observation and mask; zeros where there is nothing to decide. @param i which problem
    void Look(std::size_t i)
    {
        float* observation = m_observations.data() + i * m_size;
        uint8_t* mask = m_masks.data() + i * m_nActions;
        const auto& problem = m_environments[i].problem;
        if (problem->IsDone())
        {
            std::fill_n(observation, m_size, 0.0F);
            std::fill_n(mask, m_nActions, uint8_t{0});
            return;
        }
        problem->Observe(observation);
        problem->Mask(mask);
    }

    /// Have each outcome of a problem added to those of the present step. @param i which problem
    void Watch(std::size_t i)
    {
        const auto add = [this, i](const DecisionOutcome& outcome, std::span<const float>)
        {
            const std::size_t size = m_outcomeNames.size();
            const std::span<double> sums(m_outcomes.data() + i * size, size);
            const std::string name =
                outcome.placed ? "placed" : std::string("blocked_") + outcome.cause;
            const auto found = std::find(m_outcomeNames.begin(), m_outcomeNames.end(), name);
            if (found != m_outcomeNames.end())
            {
                ++sums[found - m_outcomeNames.begin()];
            }
            sums[size - 2] += outcome.reconfigurations;
            sums[size - 1] = outcome.latencyNs;
        };
        m_environments[i].problem->SetObserver(add);
    }

    /// @param i which problem  @param action its action
    void StepOne(std::size_t i, uint32_t action)
    {
        auto& e = m_environments[i];
        const std::size_t size = m_outcomeNames.size();
        std::fill_n(m_outcomes.begin() + i * size, size - 1, 0.0);
        m_outcomes[(i + 1) * size - 1] = DecisionOutcome::NaN;
        e.problem->Act(action);
        ++e.decisions;
        e.rewards.clear();
        e.problem->TakeRewards(e.rewards);
        m_rewards[i] = std::accumulate(e.rewards.begin(), e.rewards.end(), 0.0);
        const bool done = e.problem->IsDone();
        m_terminated[i] = done;
        const uint64_t jobs = m_hasJobs ? e.problem->GetNDecided() : e.decisions;
        m_truncated[i] = !done && m_jobs > 0 && jobs >= m_jobs;
        e.ended = done || m_truncated[i];
        if (e.ended)
        {
            const auto values = Measure(*e.problem);
            for (std::size_t f = 0; f < m_figures.size(); ++f)
            {
                m_finalFigures[i * m_figures.size() + f] = values[f].Get();
            }
            if (m_autoReset)
            {
                Look(i);
                std::copy_n(m_observations.data() + i * m_size,
                            m_size,
                            m_finalObservations.data() + i * m_size);
                Begin(e);
            }
            else
            {
                e.over = true;
            }
        }
        Look(i);
    }

    std::unique_ptr<WorkerTeam> m_team;      //!< threads that step the problems
    uint32_t m_nThreads{1};                  //!< of them
    pid_t m_process{getpid()};               //!< whose threads they are
    mutable std::mutex m_mutex;              //!< see Lock()
    uint64_t m_jobs;                         //!< jobs of an episode; 0 for no limit
    bool m_autoReset;                        //!< whether an episode follows the other
    bool m_hasJobs{false};                   //!< see Kind
    std::optional<GraphObservation> m_graph; //!< structure of an observation, if it is a graph
    uint32_t m_nActions{0};                  //!< number of actions
    std::vector<uint32_t> m_shape;           //!< dimensions of an observation
    std::size_t m_size{0};                   //!< their product
    std::vector<std::string> m_featureNames; //!< see GetFeatureNames()
    DecisionProblem::Bounds m_bounds;        //!< of an observation
    std::vector<FigureOfMerit> m_figures;    //!< figures of merit
    std::vector<Environment> m_environments; //!< the problems
    std::vector<int64_t> m_actions;          //!< [problem], of the latest step
    std::vector<float> m_observations;       //!< [problem][observation...]
    std::vector<float> m_finalObservations;  //!< the last of an ended episode, same shape
    std::vector<uint8_t> m_masks;            //!< [problem][action]
    std::vector<double> m_rewards;           //!< [problem]
    std::vector<uint8_t> m_terminated;       //!< [problem]
    std::vector<uint8_t> m_truncated;        //!< [problem]
    std::vector<std::string> m_outcomeNames{"placed"}; //!< see GetOutcomeNames()
    std::vector<double> m_outcomes;                    //!< [problem][name], of the latest step
    std::vector<double> m_finalFigures; //!< [problem][figure], of the latest ended episode
};

/// Measure a policy by an Experiment, without Python's lock.
/// @throws as Python's handler of a signal, e.g. Ctrl-C
/// @return mean and interval of each figure of merit, by name
std::map<std::string, std::array<double, 3>>
Run(const std::string& name,
    const Texts& texts,
    const std::string& policy,
    uint64_t jobs,
    uint64_t warmUp,
    uint32_t replications,
    uint64_t seed)
{
    if (replications < 1 || seed < 1 || seed >= N_SEEDS)
    {
        throw OdcnError("replications and seed: expected 1 or more, and a seed below 2^51");
    }
    const Kind kind = FindKind(name);
    std::map<std::string, std::array<double, 3>> estimates;
    RunAlone(
        [&]
        {
            Experiment experiment;
            experiment.AddCase({}, [&]() { return MakeProblem(kind, texts); });
            experiment.AddPolicy("policy", policy);
            if (jobs > 0)
            {
                experiment.SetJobs(jobs, warmUp);
            }
            experiment.SetReplications(replications);
            experiment.SetFirstRun(seed);
            experiment.SetProcesses(1); // Python may have threads, which fork() loses
            experiment.Measure();
            for (const auto& figure : MakeProblem(kind, texts)->GetFigures())
            {
                const Estimate e = experiment.GetEstimate("policy", figure.name);
                estimates[figure.name] = {e.mean, e.lower, e.upper};
            }
        });
    return estimates;
}

} // namespace

PYBIND11_MODULE(_odcn, m)
{
    // Older versions take all arrays of NumPy 2 for arrays of one number.
    const auto numpy = py::module_::import("numpy").attr("__version__").cast<std::string>();
    if (PYBIND11_VERSION_HEX < 0x020C0000 && std::stoi(numpy) >= 2)
    {
        throw py::import_error("odcn: compiled by pybind11 " + PYBIND11_VERSION +
                               " for NumPy 1, found NumPy " + numpy +
                               ": compile it for this Python by pip install, in odcn's folder");
    }
    py::register_exception<OdcnError>(m, "OdcnError", PyExc_ValueError).attr("__doc__") =
        "What was found and what was expected, in one line.";
    WatchForks();
    Time::SetResolution(Time::PS); // as programs do: packets take fractions of a nanosecond
    AgentLibrary::Forbid(
        "agents decide in the programs only; the module does not load LibTorch, so "
        "that any PyTorch can be used beside it");
    py::class_<Environments> environments(m, "Environments");
    environments
        .def(py::init<const std::string&,
                      const Texts&,
                      std::size_t,
                      uint32_t,
                      uint64_t,
                      bool,
                      const std::string&>())
        .def("reset", &Environments::Reset)
        .def("step", &Environments::Step)
        .def("decide", &Environments::Decide)
        .def("figures", &Environments::GetFigures)
        .def_property_readonly("figure_names", &Environments::GetFigureNames)
        .def_property_readonly("outcome_names", &Environments::GetOutcomeNames)
        .def_property_readonly("n_actions", &Environments::GetNActions)
        .def_property_readonly("feature_names", &Environments::GetFeatureNames)
        .def_property_readonly("bounds", &Environments::GetBounds)
        .def_property_readonly("shape", &Environments::GetShape)
        .def_property_readonly("graph", &Environments::GetGraph);
    Environments::AddViews(environments);
    m.def("run", &Run);
    m.def("load",
          [](const std::string& library)
          {
              const auto share = ShareRuns();
              OpenSharedLibrary(library, library);
          });
    m.def("problems",
          []()
          {
              std::map<std::string, std::string> problems;
              for (const Kind& kind : GetKinds())
              {
                  problems[kind.name] = kind.type.GetName();
              }
              return problems;
          });
    m.def("rules",
          [](const std::string& problem)
          {
              std::map<std::string, std::string> rules;
              for (const auto& choice : PolicyRegistry::Get(FindKind(problem).type.GetName()))
              {
                  if (!choice.IsTrained() && !choice.bound)
                  {
                      rules[choice.name] = choice.title;
                  }
              }
              return rules;
          });
    AddFabrics(m);
    AddTraining(m);
    AddPacketLoops(m);
}
