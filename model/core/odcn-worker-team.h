// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_WORKER_TEAM_H
#define ODCN_WORKER_TEAM_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Threads that stay from call to call, for work of microseconds that is repeated: ParallelFor()
 * starts its threads at each call. A thread gets the same tasks in each call, so that their data
 * stay in its cache. Between calls it polls for 100 us, then sleeps.
 */
class WorkerTeam
{
  public:
    /// Tasks from begin to end - 1. May throw
    using Body = std::function<void(std::size_t begin, std::size_t end)>;

    /// @param threads number of threads, including the one that calls Run(); 1 or more
    /// @throws OdcnError when the system does not allow so many
    explicit WorkerTeam(uint32_t threads);
    ~WorkerTeam();
    WorkerTeam(const WorkerTeam&) = delete;
    WorkerTeam& operator=(const WorkerTeam&) = delete;

    /**
     * Run tasks, each once, and return when all are done. After fork() the child has no threads but
     * the calling one, which runs all tasks.
     * @param tasks number of tasks  @param body called once by each thread that has tasks; the
     * first exception is rethrown when all threads are done
     */
    void Run(std::size_t tasks, const Body& body);

  private:
    /// End all threads.
    void End();

    /// Run tasks of a thread, keeping an exception. @param worker index of the thread
    void RunShare(std::size_t worker);

    /// Wait for calls and run their tasks. @param worker index of the thread
    void Work(std::size_t worker);

    pid_t m_process;                          //!< process that has the threads
    const Body* m_body{nullptr};              //!< of the present call; null to end
    std::size_t m_tasks{0};                   //!< of the present call
    std::vector<std::exception_ptr> m_errors; //!< of each thread in the present call
    std::atomic<uint32_t> m_calls{0};         //!< number of calls so far
    std::atomic<uint32_t> m_busy{0};          //!< threads still at work
    std::vector<std::thread> m_threads;       //!< all but the calling one
};

} // namespace ns3::odcn

#endif /* ODCN_WORKER_TEAM_H */
