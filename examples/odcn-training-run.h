// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_RUN_H
#define ODCN_TRAINING_RUN_H

/**
 * @file
 * What programs that train share: progress, the learning curve, interruption and going on.
 */

#include "ns3/odcn-actor-critic-learner.h"

#include <csignal>
#include <cstdint>
#include <map>
#include <string>

/// A training that a program is asked for.
struct TrainingRun
{
    std::string checkpoint;                        //!< file of the agent
    bool resume{false};                            //!< go on where it was interrupted
    uint64_t decisions{0};                         //!< in all
    std::string score;                             //!< what the problems' score is, e.g. "lost"
    bool isShare{true};                            //!< whether that is a share, shown in percent
    std::map<std::string, std::string> provenance; //!< for the checkpoint
};

/**
 * @param words TypeId name of a learner, Attributes in brackets
 * @return a new one
 * @throws ns3::odcn::OdcnError when there is no such learner, or an Attribute is out of range
 */
ns3::Ptr<ns3::odcn::OdcnActorCriticLearner> CreateLearner(const std::string& words);

/// @return how each command that trains an agent again ends, from the seed on
std::string EndCommand();

/**
 * Whether a training that is to go on has come to its end; if so, tell it.
 * @param file of the agent  @param resume whether it is to go on
 * @return whether nothing is left to do
 */
bool IsTrained(const std::string& file, bool resume);

/// The files beside a checkpoint while it is trained: its learning curve, FILE.csv, and what is
/// needed to go on, FILE.state.
class TrainingFiles
{
  public:
    /**
     * @param file of the agent
     * @param header first line of a new curve, with its end
     */
    TrainingFiles(const std::string& file, const std::string& header);

    /**
     * Go on with an interrupted training, or refuse to begin another over it.
     * @param learner to go on with
     * @param resume whether to, if there is one
     * @throws OdcnError when one was interrupted that is not to go on, or nothing can be written
     */
    template <typename Learner>
    void Begin(Learner& learner, bool resume)
    {
        if (resume && IsBegun())
        {
            learner.LoadState(m_state);
            ReadCurve();
            return;
        }
        CheckNew();
    }

    /**
     * Write all three.
     * @param learner as it stands
     * @param line of the curve, with its end
     * @param provenance for the checkpoint
     */
    template <typename Learner>
    void Write(const Learner& learner,
               const std::string& line,
               const std::map<std::string, std::string>& provenance)
    {
        AddToCurve(line);
        learner.SaveState(m_state);
        learner.SaveCheckpoint(m_checkpoint, provenance);
    }

    /**
     * Train until it is done or Ctrl-C is pressed, and tell which.
     * @param learner to train
     * @param total how much of it, as Train() counts
     * @param best what the checkpoint holds
     * @param finish called when it is done
     * @return exit status: 130 when it was interrupted
     */
    template <typename Learner, typename F>
    int Train(Learner& learner, uint64_t total, const std::string& best, F finish) const
    {
        static Learner* atWork;
        atWork = &learner;
        std::signal(SIGINT, [](int) { atWork->RequestStop(); });
        const bool whole = learner.Train(total);
        std::signal(SIGINT, SIG_DFL);
        if (whole)
        {
            finish();
        }
        return End(whole, best);
    }

  private:
    /// @return whether a training was interrupted here
    bool IsBegun() const;

    /// Refuse to begin where a training was interrupted, or where nothing can be written.
    void CheckNew() const;

    /// Take the curve of an interrupted training.
    void ReadCurve();

    /// @param line of the curve, with its end
    void AddToCurve(const std::string& line);

    /// @param whole whether it is done  @param best what the checkpoint holds  @return exit status
    int End(bool whole, const std::string& best) const;

    std::string m_checkpoint; //!< File of the agent
    std::string m_state;      //!< What is needed to go on
    std::string m_curve;      //!< File of the curve
    std::string m_lines;      //!< The curve
};

/**
 * Train, show how it goes, and write the agent, its learning curve (FILE.csv) and, until it is
 * done, what is needed to go on (FILE.state), at each epoch's end.
 *
 * @param learner with network, environments and evaluation
 * @param run what is asked for
 * @return exit status: 130 when it was interrupted
 */
int RunTraining(ns3::odcn::OdcnActorCriticLearner& learner, const TrainingRun& run);

#endif /* ODCN_TRAINING_RUN_H */
