// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_THREAD_TEAM_H
#define ODCN_THREAD_TEAM_H

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * Threads that wait for work, so that an update of a tenth of a millisecond can be shared. The
 * caller of Run() works too; tasks go to whoever is free, hence what they compute must not depend
 * on that.
 */
class OdcnThreadTeam
{
  public:
    /// @param threads how many work, the caller included; at least 1
    explicit OdcnThreadTeam(uint32_t threads);
    ~OdcnThreadTeam();
    OdcnThreadTeam(const OdcnThreadTeam&) = delete;
    OdcnThreadTeam& operator=(const OdcnThreadTeam&) = delete;

    /// @return how many work, the caller included
    std::size_t GetSize() const
    {
        return m_threads.size() + 1;
    }

    /**
     * Call @p body for every task and wait for all. Not from within a task.
     *
     * @param tasks how many
     * @param body takes the number of a task and that of a worker below GetSize(), who does one
     * task at a time; of what tasks throw, one is thrown again
     */
    void Run(std::size_t tasks, const std::function<void(std::size_t, std::size_t)>& body);

  private:
    /// What a thread does. @param worker its number
    void Wait(std::size_t worker);

    /// Do tasks as long as there are any. @param worker who
    void Work(std::size_t worker);

    std::vector<std::thread> m_threads; //!< all but the caller
    std::mutex m_mutex;                 //!< of what follows
    std::condition_variable m_begin;    //!< there is work, or an end
    std::condition_variable m_end;      //!< a thread has finished
    uint64_t m_round{0};                //!< counts calls of Run()
    std::size_t m_busy{0};              //!< threads at work
    bool m_stop{false};                 //!< whether to end
    std::exception_ptr m_error;         //!< what a task threw
    const std::function<void(std::size_t, std::size_t)>* m_body{nullptr}; //!< the work
    std::size_t m_tasks{0};                                               //!< how much of it
    std::atomic<std::size_t> m_next{0};                                   //!< next task
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_THREAD_TEAM_H */
