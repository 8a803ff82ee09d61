// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_PROBLEM_H
#define ODCN_CIRCUIT_PROBLEM_H

#include "odcn-least-time-rule.h"

#include "ns3/odcn-decision-problem.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Which circuits a training job gets as it begins: an action is a choice of LeastTimeRule, to stay
 * on the circuits that are set or one of its rules.
 *
 * The observation has FEATURES numbers per action, feature by feature, all from 0 to 1; an
 * infeasible action has -1 in place of each. With a the time of the job in a network without
 * contention, T the estimated time with the choice, S the same without dark time, d the dark time,
 * f(x) = x / (1 + x), and "lasting" for the choices to stay and PerJobRule, whose circuits the jobs
 * that follow find:
 *
 * - longer: 1 - least T / T
 * - slowdown: 1 - a / T
 * - settled: 1 - least lasting S / S if the choice is lasting, else 0
 * - settled-waiting: the same times f(jobs that wait / 4)
 * - payback: 1 / (1 + n) for PerJobRule if the job could stay, else 0; n equal jobs make up for it
 * - payback-waiting: the same times f(jobs that wait / 4)
 * - job, iteration, phase, step: 1 for this choice
 * - dark: f(d / a), 0 to stay
 * - dark-phases: f(d / a) for PerPhaseRule and PerStepRule
 * - waiting: f(jobs that wait / 4), 0 to stay
 * - leaves: 1 if the job could stay, and does not
 *
 * With T' and S' of the choice to stay, n = (T - T') / (S' - S); there is no payback if S' <= S.
 *
 * The consequences are those of a run of the jobs, on any engine, which the user of the problem
 * starts: a Runner. A run guesses what comes behind the decisions that were made: the last one
 * about an equal job, or that of LeastTimeRule. Where a decision differs, the jobs run again from
 * the start. Runs are kept for policies that decide alike. As a run needs ns-3's Simulator, no
 * other simulation may be under way, and all problems belong to one thread.
 *
 * The score is the sum of the jobs' times from arrival to end over that of their times alone. The
 * reward of a decision is minus the time of its job as a share of the mean time alone; rewards are
 * known at the end.
 *
 * Follow() has one decision made for a LearnedRule, without a runner.
 */
class CircuitProblem : public DecisionProblem
{
  public:
    /// Actions.
    enum Choice : uint32_t
    {
        STAY,      //!< the circuits that are set
        JOB,       //!< PerJobRule
        ITERATION, //!< PerIterationRule
        PHASE,     //!< PerPhaseRule
        STEP,      //!< PerStepRule
        CHOICES    //!< number of these
    };

    /// Numbers in the observation of an action.
    static constexpr uint32_t FEATURES = 14;

    /// A decision.
    struct Question
    {
        std::array<double, CHOICES> times{};   //!< estimated, s; infinite if infeasible
        std::array<double, CHOICES> settled{}; //!< the same without dark time
        double alone{1};                       //!< in a network without contention, s
        double dark{0};                        //!< dark time, s
        uint32_t waiting{0};                   //!< jobs that wait for end points
    };

    /// What became of the jobs of a run.
    struct Result
    {
        std::vector<double> times{}; //!< by job: from arrival to end, s
        std::vector<double> alone{}; //!< by job: in a network without contention, s
        double least{0};             //!< mean time that no run is below, s
        uint32_t unended{0};         //!< jobs that did not end; their times are those of the run
    };

    /// Runs the jobs of an episode to their end. Arguments: chooses circuits, in place of the rule
    /// of the TrainingController; number of the episode, the same for the same jobs.
    using Runner = std::function<Result(const Ptr<CircuitRule>& rule, uint32_t episode)>;

    /// @return the TypeId
    static TypeId GetTypeId();
    /// @param runner runs the jobs; null for Follow() alone
    explicit CircuitProblem(Runner runner);

    /// @param question the next decision, which has no consequences here
    void Follow(const Question& question);

    /// @return the present decision
    /// @throws OdcnError when there is none
    const Question& GetQuestion() const;

    /// @param beginning of a job
    /// @param estimates of its choices
    /// @return the decision
    static Question MakeQuestion(const CircuitRule::Beginning& beginning,
                                 const std::vector<LeastTimeRule::Estimate>& estimates);

    /// @param estimates of a job
    /// @param action an action; CHOICES for the least time
    /// @return index of the choice in estimates; that of the least time if it is infeasible
    static std::size_t FindChoice(const std::vector<LeastTimeRule::Estimate>& estimates,
                                  uint32_t action);

    uint32_t GetNActions() const override;
    std::vector<uint32_t> GetObservationShape() const override;
    std::vector<std::string> GetFeatureNames() const override;
    Bounds GetObservationBounds() const override;
    void Observe(float* out) const override;
    void Mask(uint8_t* out) const override;
    void Act(uint32_t action) override;
    /// Begin an episode with other jobs. @throws OdcnError without a runner
    void Reset() override;
    int64_t AssignStreams(int64_t stream) override;
    std::string GetScoreName() const override;

    bool IsMeasuredWhole() const override
    {
        return true;
    }

    std::vector<FigureOfMerit> GetFigures() const override;
    std::vector<FigureValue> MeasureFigures() const override;
    DecisionTally GetTally() const override;

  private:
    friend class CircuitReplay;

    /// A decision of a run.
    struct Step
    {
        Question question{}; //!< what was decided
        uint32_t job{0};     //!< about which job
        uint32_t action{0};  //!< what was done
    };

    /// A run of the jobs.
    struct Run
    {
        std::vector<Step> steps{}; //!< its decisions
        Result result{};           //!< what became of the jobs
    };

    /// Take the run with the decisions so far, or make it.
    void FindRun();
    /// Go on to the next decision, or to the end.
    void GoOn();

    Runner m_runner;                  //!< runs the jobs
    Ptr<UniformRandomVariable> m_any; //!< draws episodes
    uint32_t m_episode{0};            //!< the present one
    std::vector<uint32_t> m_actions;  //!< of the episode so far
    Run m_run;                        //!< the present run
    /// By episode and decisions that were made before the run.
    std::map<std::pair<uint32_t, std::vector<uint32_t>>, Run> m_known;
    Question m_question;                //!< the present decision
    bool m_isFollowing{false};          //!< whether Follow() was called
    std::vector<FigureValue> m_figures; //!< of the episode
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_PROBLEM_H */
