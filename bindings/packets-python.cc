// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * An environment of Python whose decisions are taken while packets of ns-3 are in flight: the
 * continuous mode of PlacementScheduler.
 */

#include "odcn-python.h"
#include "python-settings.h"

#include "ns3/boolean.h"
#include "ns3/ocs-packet-monitor.h"
#include "ns3/ocs-switch.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-run-guard.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

namespace odcn_python
{

using namespace ns3;
using namespace ns3::odcn;
using namespace py::literals;

namespace
{

/// What packets did, and where they are.
struct PacketState
{
    uint64_t sent{0};      //!< from the begin of the episode
    uint64_t received{0};  //!< from the begin of the episode
    uint64_t lost{0};      //!< from the begin of the episode
    uint64_t inFlight{0};  //!< now
    uint64_t queued{0};    //!< bytes in queues of ToR switches, now
    double latencyNs{NAN}; //!< recent mean between racks; NaN if no packet has arrived
    double time{0};        //!< simulated, s
};

/**
 * Jobs of the ODCN system that Python places, one virtual machine a step.
 *
 * The simulation runs in a thread of its own, in turn with the caller: one of the two waits. It
 * goes on from one decision to the next, and waits within the scheduler's event while Python
 * decides. So its scheduler is that of programs.
 */
class PacketLoop
{
  public:
    /**
     * @param texts Attributes
     * @param load mean duration of a job in mean inter-arrival times
     * @param jobs to place in an episode
     * @param warmUp jobs before, without packets, which the rule places
     * @param rule for these, and for Decide()
     */
    PacketLoop(const Texts& texts,
               double load,
               uint64_t jobs,
               uint64_t warmUp,
               const std::string& rule)
        : m_texts(texts),
          m_load(load),
          m_jobs(jobs),
          m_warmUp(warmUp),
          m_rule(rule)
    {
        RunAlone(
            [&]
            {
                ClaimSimulator(nullptr);
                Make();
                m_problem->AssignStreams(0);
                m_problem->Reset();
                m_nActions = m_problem->GetNActions();
                m_shape = m_problem->GetObservationShape();
                m_bounds = m_problem->GetObservationBounds();
                m_observation.resize(m_problem->GetObservationSize());
                m_mask.resize(m_nActions);
                m_problem = nullptr;
                Simulator::Destroy();
            });
    }

    ~PacketLoop()
    {
        End();
    }

    PacketLoop(const PacketLoop&) = delete;
    PacketLoop& operator=(const PacketLoop&) = delete;

    /// Begin an episode. @param seed run number
    void Reset(uint64_t seed)
    {
        if (seed >= N_SEEDS)
        {
            throw OdcnError::InOption("seed", std::to_string(seed), "less than 2^51");
        }
        End();
        RunAlone(
            [&]
            {
                ClaimSimulator(this);
                m_seed = seed;
                m_isOver = false;
                m_isEnding = false;
                m_state = m_before = {};
                m_isSimulating = true;
                GoOn([this] { m_thread = std::thread([this] { Simulate(); }); });
            });
    }

    /// @param action for the virtual machine that waits
    /// @return whether the episode is over
    bool Step(int64_t action)
    {
        CheckTurn();
        if (action < 0 || action >= static_cast<int64_t>(m_nActions))
        {
            throw OdcnError::InOption("action",
                                      std::to_string(action),
                                      "0 to " + std::to_string(m_nActions - 1));
        }
        m_action = static_cast<uint32_t>(action);
        m_before = m_state;
        RunAlone([&] { GoOn([this] { Turn(true); }); });
        return m_isOver;
    }

    /// @return the rule's action
    uint32_t Decide()
    {
        CheckTurn();
        return m_policy->Decide(*m_problem);
    }

    /// End the episode.
    void End()
    {
        if (m_thread.joinable() && IsForkedWithinRun())
        {
            // Of the other process: it can be neither joined nor detached, and waits for ever.
            new std::thread(std::move(m_thread));
            (void)m_turn.release();
        }
        if (m_thread.joinable())
        {
            m_isEnding = true;
            Turn(true);
            m_thread.join();
        }
        m_isOver = true;
        ReleaseSimulator(this);
    }

    /// @return of the present decision; zeros when the episode is over
    py::array_t<float> GetObservation() const
    {
        py::array_t<float> values(std::vector<py::ssize_t>(m_shape.begin(), m_shape.end()));
        std::copy(m_observation.begin(), m_observation.end(), values.mutable_data());
        return values;
    }

    /// @return for each action whether it may succeed
    py::array_t<bool> GetMask() const
    {
        py::array_t<bool> values(static_cast<py::ssize_t>(m_mask.size()));
        std::copy(m_mask.begin(), m_mask.end(), values.mutable_data());
        return values;
    }

    /// @return least and greatest values of an observation
    py::tuple GetBounds() const
    {
        py::array_t<float> low(std::vector<py::ssize_t>(m_shape.begin(), m_shape.end()));
        py::array_t<float> high(std::vector<py::ssize_t>(m_shape.begin(), m_shape.end()));
        for (std::size_t i = 0; i < m_bounds.size(); ++i)
        {
            low.mutable_data()[i] = m_bounds[i].first;
            high.mutable_data()[i] = m_bounds[i].second;
        }
        return py::make_tuple(low, high);
    }

    /// @return packets sent, received and lost in the last step, and the state of the others
    py::dict GetPackets() const
    {
        const auto latency =
            std::isnan(m_state.latencyNs) ? py::object(py::none()) : py::float_(m_state.latencyNs);
        return py::dict("sent"_a = m_state.sent - m_before.sent,
                        "received"_a = m_state.received - m_before.received,
                        "lost"_a = m_state.lost - m_before.lost,
                        "in_flight"_a = m_state.inFlight,
                        "queued_bytes"_a = m_state.queued,
                        "latency_ns"_a = latency,
                        "time_s"_a = m_state.time);
    }

    /// @return figures of merit of the jobs after the warm-up, by name
    const std::map<std::string, double>& GetFigures() const
    {
        return m_figures;
    }

    /// @return sum of the rewards that became known in the last step
    double GetReward() const
    {
        return m_reward;
    }

    /// @return number of actions
    uint32_t GetNActions() const
    {
        return m_nActions;
    }

  private:
    /// Ends the simulation within a decision.
    struct Ended
    {
    };

    /// Asks Python.
    struct Asking : DecisionPolicy
    {
        /// @param l the environment
        explicit Asking(PacketLoop& l)
            : loop(l)
        {
        }

        uint32_t Decide(const DecisionProblem& problem) override
        {
            return loop.Ask(problem);
        }

        PacketLoop& loop; //!< the environment
    };

    /// @throws OdcnError unless a decision is due
    void CheckTurn() const
    {
        CheckProcess();
        if (m_isOver)
        {
            throw OdcnError("no episode: reset() begins one");
        }
    }

    /// Make the problem, and what installs it. @return the helper
    OdcnHelper Make()
    {
        Settings settings(m_texts);
        OdcnHelper helper;
        const auto give = [&](TypeId type, auto set)
        { settings.Apply(type, [&](const auto& name, const auto& value) { set(name, value); }); };
        helper.SetProblemAttribute("State", StringValue("Packets"));
        helper.SetSchedulerAttribute("Reward", StringValue("Packets"));
        give(NMgr::GetTypeId(), [&](auto& n, auto& v) { helper.SetNetworkAttribute(n, v); });
        give(CsMgr::GetTypeId(), [&](auto& n, auto& v) { helper.SetComputeAttribute(n, v); });
        give(OdcnScheduling::GetTypeId(),
             [&](auto& n, auto& v) { helper.SetProblemAttribute(n, v); });
        give(PlacementScheduler::GetTypeId(),
             [&](auto& n, auto& v) { helper.SetSchedulerAttribute(n, v); });
        give(JobFlowApplication::GetTypeId(),
             [&](auto& n, auto& v) { helper.SetFlowAttribute(n, v); });
        give(OcsSwitch::GetTypeId(),
             [&](auto& n, auto& v) { helper.GetOptics().SetSwitchAttribute(n, v); });
        give(TorSwitch::GetTypeId(),
             [&](auto& n, auto& v) { helper.GetOptics().SetTorAttribute(n, v); });
        m_monitor.clear();
        give(OcsPacketMonitor::GetTypeId(), [&](auto& n, auto& v) { m_monitor[n] = v.Get(); });
        helper.SetJobAttribute("MaxJobs", UintegerValue(m_warmUp + m_jobs));
        helper.SetSchedulerAttribute("Continuous", BooleanValue(true));
        helper.SetSchedulerAttribute("WindowAfter", UintegerValue(m_warmUp));
        const auto jobs = helper.CreateJobs(m_load);
        settings.Apply(*jobs);
        m_problem = helper.CreateProblem(jobs);
        settings.Finish(*m_problem);
        const auto choice = PolicyRegistry::Find(*m_problem, m_rule);
        m_policy = choice.Create();
        choice.Configure(*m_problem, *m_policy);
        return helper;
    }

    /// Run an episode, in the thread of the simulation.
    void Simulate()
    {
        try
        {
            Simulator::Destroy(); // of another thread
            RunEpisode();
        }
        catch (const Ended&)
        {
        }
        catch (...)
        {
            m_error = std::current_exception();
        }
        m_scenario = {};
        Simulator::Destroy();
        m_problem = nullptr;
        m_policy = nullptr;
        m_isOver = true;
        std::fill(m_observation.begin(), m_observation.end(), 0.0F);
        std::fill(m_mask.begin(), m_mask.end(), uint8_t{0});
        Turn(false);
    }

    /// The scenario and its simulation.
    void RunEpisode()
    {
        OdcnHelper helper = Make();
        m_problem->AssignStreams(0);
        m_problem->Reset();
        m_policy->Reset();
        m_policy->AssignStreams(500);
        {
            AttributeScope scope;
            for (const auto& [name, text] : m_monitor)
            {
                scope.Add({OcsPacketMonitor::GetTypeId()}, name, text);
            }
            m_scenario = helper.Install(m_problem, CreateObject<Asking>(*this));
        }
        OdcnHelper::AssignStreams(m_scenario, 1000);
        m_sum = 0;
        m_isFinished = false;
        const auto rewarded = [this](const std::vector<float>& rewards)
        { m_sum = std::accumulate(rewards.begin(), rewards.end(), m_sum); };
        const auto decided = [this](OdcnOutcome)
        {
            if (m_problem->GetNJobs() == m_warmUp)
            {
                m_problem->ClearScore();
            }
        };
        m_scenario.scheduler->TraceConnectWithoutContext(
            "Rewarded",
            Callback<void, const std::vector<float>&>(rewarded));
        m_scenario.scheduler->TraceConnectWithoutContext("Decided",
                                                         Callback<void, OdcnOutcome>(decided));
        m_scenario.scheduler->TraceConnectWithoutContext(
            "Finished",
            Callback<void>([this] { m_isFinished = true; }));
        CheckSignals();
        Simulator::Run();
        Look();
        m_reward = m_sum;
    }

    /// Stop at a signal, until all jobs are decided.
    void CheckSignals()
    {
        Interruption::Check();
        if (!m_isFinished)
        {
            Simulator::Schedule(MicroSeconds(10), &PacketLoop::CheckSignals, this);
        }
    }

    /// Note what Python may see.
    void Look()
    {
        const PacketCounts counts = m_scenario.fabric->Count();
        m_state.sent = counts.sent;
        m_state.received = counts.received;
        m_state.lost = counts.dropped.Total();
        m_state.inFlight = counts.inFlight;
        m_state.time = Simulator::Now().GetSeconds();
        m_state.queued = 0;
        if (const auto monitor = m_problem->GetMonitor())
        {
            for (RackId rack = 0; rack < m_scenario.fabric->GetSize().racks; ++rack)
            {
                m_state.queued += monitor->GetTorQueue(rack).bytes;
            }
            const auto latency = monitor->GetLatency();
            m_state.latencyNs = latency.packets > 0 ? latency.meanNs : NAN;
        }
        m_figures.clear();
        const auto figures = m_problem->GetFigures();
        const auto values = m_problem->MeasureFigures();
        for (std::size_t i = 0; i < figures.size(); ++i)
        {
            m_figures[figures[i].name] = values[i].Get();
        }
    }

    /// @param problem that waits for a decision, in the thread of the simulation
    /// @return the decision
    uint32_t Ask(const DecisionProblem& problem)
    {
        if (m_problem->GetNJobs() < m_warmUp)
        {
            m_sum = 0;
            return m_policy->Decide(problem);
        }
        problem.Observe(m_observation.data());
        problem.Mask(m_mask.data());
        Look();
        m_reward = std::exchange(m_sum, 0);
        Turn(false);
        std::unique_lock lock(m_mutex);
        m_turn->wait(lock, [this] { return m_isSimulating; });
        if (m_isEnding)
        {
            throw Ended();
        }
        return m_action;
    }

    /// @param isSimulating whether it is the simulation's turn, or the caller's
    void Turn(bool isSimulating)
    {
        const std::lock_guard lock(m_mutex);
        m_isSimulating = isSimulating;
        m_turn->notify_all();
    }

    /// Simulate until the next decision, or the end of the episode.
    /// @param start lets the simulation go on
    /// @throws what ended it
    void GoOn(const std::function<void()>& start)
    {
        const RunGuard guard; // streams are made in every part of an episode
        RngSeedManager::SetRun(m_seed);
        start();
        {
            std::unique_lock lock(m_mutex);
            m_turn->wait(lock, [this] { return !m_isSimulating; });
        }
        if (m_isOver)
        {
            m_thread.join();
            ReleaseSimulator(this);
            if (m_error)
            {
                std::rethrow_exception(std::exchange(m_error, nullptr));
            }
        }
    }

    Texts m_texts;                           //!< Attributes
    double m_load;                           //!< see the constructor
    uint64_t m_jobs;                         //!< to place
    uint64_t m_warmUp;                       //!< jobs before
    std::string m_rule;                      //!< for these
    uint64_t m_seed{1};                      //!< of the episode
    uint32_t m_nActions{0};                  //!< number of actions
    std::vector<uint32_t> m_shape;           //!< of an observation
    DecisionProblem::Bounds m_bounds;        //!< of an observation
    std::vector<float> m_observation;        //!< of the present decision
    std::vector<uint8_t> m_mask;             //!< of the present decision
    double m_reward{0};                      //!< see GetReward()
    double m_sum{0};                         //!< of rewards since the last decision
    PacketState m_state;                     //!< at the present decision
    PacketState m_before;                    //!< at the one before
    std::map<std::string, double> m_figures; //!< see GetFigures()

    Texts m_monitor;               //!< Attributes of OcsPacketMonitor
    Ptr<OdcnScheduling> m_problem; //!< of the episode
    Ptr<DecisionPolicy> m_policy;  //!< the rule
    OdcnScenario m_scenario;       //!< of the episode
    bool m_isFinished{false};      //!< whether all jobs are decided

    std::thread m_thread; //!< of the simulation
    std::mutex m_mutex;   //!< of the next members
    /// m_isSimulating has changed.
    std::unique_ptr<std::condition_variable> m_turn{std::make_unique<std::condition_variable>()};
    bool m_isSimulating{false}; //!< whose turn it is
    bool m_isEnding{false};     //!< whether the simulation is to end
    bool m_isOver{true};        //!< whether there is no episode
    uint32_t m_action{0};       //!< of Python
    std::exception_ptr m_error; //!< what ended the simulation; null for its end
};

} // namespace

void
AddPacketLoops(py::module_& m)
{
    py::class_<PacketLoop>(m, "PacketLoop")
        .def(py::init<const Texts&, double, uint64_t, uint64_t, const std::string&>())
        .def("reset", &PacketLoop::Reset)
        .def("step", &PacketLoop::Step)
        .def("decide", &PacketLoop::Decide)
        .def("end", &PacketLoop::End, py::call_guard<py::gil_scoped_release>())
        .def_property_readonly("observation", &PacketLoop::GetObservation)
        .def_property_readonly("mask", &PacketLoop::GetMask)
        .def_property_readonly("bounds", &PacketLoop::GetBounds)
        .def_property_readonly("packets", &PacketLoop::GetPackets)
        .def_property_readonly("figures", &PacketLoop::GetFigures)
        .def_property_readonly("reward", &PacketLoop::GetReward)
        .def_property_readonly("n_actions", &PacketLoop::GetNActions);
}

} // namespace odcn_python
