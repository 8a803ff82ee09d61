// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PROCESS_TEAM_H
#define ODCN_PROCESS_TEAM_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Runs independent tasks in this process and in copies of it (fork()), for work that threads cannot
 * share, such as ns-3's objects and random streams. A copy has the state of this process at Run();
 * what a task changes in a copy is lost but for its result, a string.
 *
 * Copies take the next task that any process may run, this process first its own tasks. They end
 * with this process, and after a signal or an error. When a copy is killed, for instance because
 * memory is short, a new one begins its task again, once. In a copy, a team has one process.
 */
class ProcessTeam
{
  public:
    /// What to do.
    struct Work
    {
        std::vector<bool> here; //!< for each task, whether only this process may run it
        /// For each task, its turn among those that any process may run: the lowest begin first,
        /// equal ones in the order of the tasks; empty if all are equal.
        std::vector<uint64_t> turns;
        /// Runs a task and returns its result; may call Report().
        std::function<std::string(std::size_t task)> run;
        /// Called in this process with each result, in the order in which they arrive.
        std::function<void(std::size_t task, const std::string& result)> take;
        /// Called in this process with the units of all tasks so far; may throw.
        std::function<void(uint64_t units)> progress;
    };

    /// @param processes processes in all; 0 for one for each core
    explicit ProcessTeam(uint32_t processes);
    ~ProcessTeam();
    ProcessTeam(const ProcessTeam&) = delete;
    ProcessTeam& operator=(const ProcessTeam&) = delete;

    /**
     * Run all tasks, each once; only one call for a team.
     * @param work the tasks
     * @throws OdcnError what a task threw in a copy, or when copies ended otherwise in a task,
     * twice
     */
    void Run(const Work& work);

    /// Set the units of the present task that are done.
    /// @param units number of them
    void SetUnits(uint64_t units);

    /// SetUnits(), and report progress if this is the first process.
    /// @param units number of them
    void Report(uint64_t units);

  private:
    struct Shared;
    struct Member;

    /// Start a copy, or a new one in place of one that ended.
    /// @param index of the member
    /// @param first task that it begins with; NO_TASK for the next one that any process may run
    void Start(std::size_t index, std::size_t first);

    /// Run tasks in a copy.
    /// @param results file for their results
    /// @param first as for Start()
    /// @return exit status
    int Serve(int results, std::size_t first);

    /// @return the next task that any process may run; NO_TASK if there is none
    std::size_t TakeNext();

    /// Run a task in this process, then Collect() and Reap().
    /// @param task index of it
    void RunHere(std::size_t task);

    /// Take the results that have arrived.
    void Collect();

    /// Take note of copies that have ended, and begin the task of one that was killed again.
    /// @throws OdcnError when that was its second time
    void Reap();

    /// @return units that all processes have done
    uint64_t CountUnits() const;

    /// No task.
    static constexpr std::size_t NO_TASK = SIZE_MAX;

    uint32_t m_processes;             //!< processes in all
    std::unique_ptr<Shared> m_shared; //!< memory that all processes see
    std::vector<Member> m_members;    //!< the copies
    const Work* m_work{nullptr};      //!< of the present Run()
    std::vector<std::size_t> m_any;   //!< its tasks that any process may run
    std::vector<bool> m_taken;        //!< for each task, whether its result was taken
    std::set<std::size_t> m_repeated; //!< tasks that were begun again
    std::size_t m_self{0};            //!< index of this process; 0 for the first
    uint64_t m_before{0};             //!< units of this process's earlier tasks
    uint64_t m_units{0};              //!< units of the present task
};

} // namespace ns3::odcn

#endif /* ODCN_PROCESS_TEAM_H */
