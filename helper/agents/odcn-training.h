// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_H
#define ODCN_TRAINING_H

#include "ns3/odcn-learner.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ns3::odcn
{

class FileLock;
class Ranks;
class RunReport;

/**
 * @ingroup odcn
 *
 * Runs a training with progress output, checkpoint, learning curve, interruption by SIGINT or
 * SIGTERM, and resumption.
 *
 * Files are written at the end of each epoch: FILE (the best policy so far), FILE.csv (the learning
 * curve) and, until the training is done, FILE.state. The state alone suffices to resume: after a
 * training is killed at any point, resuming it gives the same files as an uninterrupted training.
 * It is resumed only with the options that it began with. FILE.lock prevents a second process from
 * training to the same file. A second signal ends the process at once.
 *
 * Started by mpirun, the processes train together (see Learner::SetRanks()). Only rank 0 writes
 * files and progress, and only there Run() returns; the others end with it.
 */
class Training
{
  public:
    /**
     * @param checkpoint file of the trained policy
     * @param resume whether to resume an interrupted training, if there is one
     */
    explicit Training(std::string checkpoint, bool resume = false);
    ~Training();
    Training(const Training&) = delete;
    Training& operator=(const Training&) = delete;

    /// @param command command line as typed, stored in the checkpoint; files that its options name
    /// must have the same content when the training is resumed
    void SetCommand(const std::string& command);

    /// @param path another file that must have the same content when the training is resumed;
    /// ignored if there is none
    void AddFile(const std::string& path);

    /// @param key key in the provenance of the checkpoint  @param value its text
    void AddProvenance(const std::string& key, const std::string& value);

    /// @param isShare whether the score of the problems is a share, shown in percent
    void SetShare(bool isShare)
    {
        m_isShare = isShare;
    }

    /**
     * Prints a message if so. To be called after SetCommand().
     * @return whether the training to resume was already finished
     * @throws OdcnError when it was finished with other options
     */
    bool IsDone() const;

    /**
     * Run or resume the training.
     * @param learner learner with network, problems and evaluation
     * @param decisions total number of training decisions
     * @return exit status: 0, or that of an Interruption
     * @throws OdcnError when there is an interrupted training that must not be resumed or began
     * with another command, another process trains the same file, a file cannot be written, or the
     * training diverges
     */
    int Run(Learner& learner, uint64_t decisions);

  private:
    /// As Run(), on each rank. @param learner see Run()  @param decisions see Run()
    /// @return see Run()
    int RunRank(Learner& learner, uint64_t decisions);
    /// @param work done by rank 0  @return its result, on all ranks
    std::string OnFirst(const std::function<std::string()>& work) const;
    /// Write what is due at the end. @param learner learner to save  @param written whether the
    /// files of the last epoch were written
    void Finish(Learner& learner, bool written);
    /// @return see IsDone()
    bool CheckDone() const;
    /// Remove the temporary files of a killed process.
    void RemoveTemporaries() const;
    /// @return name of the checkpoint without its folder
    std::string GetName() const;
    /// @return the report so far
    RunReport MakeReport() const;
    /// Lock the checkpoint and read the state of an interrupted training, if there is one.
    /// @param learner learner that reads the state
    void Begin(Learner& learner);
    /// @return the command of SetCommand(), or ""
    std::string GetCommand() const;
    /// @return command, curve and digests of the files as stored in the state
    std::string GetNote() const;
    /// @param then digests of the state  @throws OdcnError when a file has changed since
    void RequireSameFiles(const std::string& then) const;
    /// Append an epoch to the learning curve. @param progress progress at the end of the epoch
    void AddToCurve(const TrainingProgress& progress);
    /// Write all files, the state first. @param learner learner to save
    void Write(Learner& learner);

    /// @param score score of the problems  @return its text, with the unit
    std::string Format(double score) const;

    std::string m_checkpoint;                        //!< path of the checkpoint
    std::string m_state;                             //!< path of the state
    bool m_resume;                                   //!< whether to resume
    bool m_isShare{true};                            //!< whether scores are shares
    std::map<std::string, std::string> m_provenance; //!< stored in the checkpoint
    std::map<std::string, std::string> m_files;      //!< digest of each file, by path
    std::string m_curve;                             //!< learning curve so far, CSV
    double m_freshScore{0};                          //!< of Learner::EvaluateKept()
    std::unique_ptr<FileLock> m_lock;                //!< lock of the checkpoint
    std::unique_ptr<Ranks> m_ranks;                  //!< processes that train together
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_H */
