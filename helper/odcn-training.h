// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_H
#define ODCN_TRAINING_H

#include "ns3/odcn-learner.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Runs a training with everything around it: progress on the terminal, the checkpoint, a learning
 * curve, interruption by SIGINT or SIGTERM, and resuming.
 *
 * Files are written at the end of each epoch: FILE (the best policy so far), FILE.csv (the learning
 * curve) and, until the training is done, FILE.state. The state alone is enough to resume: wherever
 * a training is killed, resuming it gives the same three files as if it had not been. FILE.lock
 * keeps a second process from training the same file.
 */
class Training
{
  public:
    /**
     * @param checkpoint file of the trained policy
     * @param resume go on with a training that was interrupted, if there is one
     */
    Training(std::string checkpoint, bool resume);
    ~Training();
    Training(const Training&) = delete;
    Training& operator=(const Training&) = delete;

    /// @param command line as typed, kept in the checkpoint
    void SetCommand(const std::string& command);

    /// @param key of the provenance  @param value for people
    void AddProvenance(const std::string& key, const std::string& value);

    /// @param isShare whether the problems' score is a share, shown in percent
    void SetShare(bool isShare);

    /// @return whether the training to be resumed was finished before; says so on standard output
    bool IsDone() const;

    /**
     * Train, or go on training.
     * @param learner with network, problems and evaluation
     * @param decisions to learn from in all
     * @return exit status: 0, 130 after SIGINT, 143 after SIGTERM
     * @throws OdcnError when an interrupted training is there that is not to be resumed or began
     * with another command, another process is at work, nothing can be written, or the training
     * diverges
     */
    int Run(Learner& learner, uint64_t decisions);

  private:
    /// Lock the checkpoint and read the state of an interrupted training, if there is one.
    /// @param learner reads it
    void Begin(Learner& learner);
    /// @return of SetCommand(), or ""
    std::string GetCommand() const;
    /// @return command and curve as kept in the state
    std::string GetNote() const;
    /// @param progress of the epoch that has ended
    void AddToCurve(const TrainingProgress& progress);
    /// Write all files, the state first. @param learner to save
    void Write(Learner& learner);

    /// @param score of the problems  @return as text, with its unit
    std::string Format(double score) const;

    std::string m_checkpoint;                        //!< File
    std::string m_state;                             //!< File
    bool m_resume;                                   //!< Whether to go on
    bool m_isShare{true};                            //!< Unit of scores
    std::map<std::string, std::string> m_provenance; //!< For the checkpoint
    std::string m_curve;                             //!< Text of the curve so far
    int m_lock{-1};                                  //!< Descriptor of the locked file
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_H */
