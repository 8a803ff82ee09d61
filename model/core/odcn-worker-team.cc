// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-worker-team.h"

#include "odcn-error.h"

#include <chrono>
#include <string>
#include <system_error>
#include <unistd.h>

namespace ns3::odcn
{

namespace
{

/// Wait until a number changes. @param number the number  @param old what it is now
void
Await(const std::atomic<uint32_t>& number, uint32_t old)
{
    // To be woken by the kernel takes longer than the steps of some problems.
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::microseconds(100);
    while (number.load(std::memory_order_acquire) == old)
    {
        if (Clock::now() > end)
        {
            number.wait(old, std::memory_order_acquire);
            return;
        }
        std::this_thread::yield();
    }
}

} // namespace

WorkerTeam::WorkerTeam(uint32_t threads)
    : m_process(getpid()),
      m_errors(threads)
{
    try
    {
        for (std::size_t worker = 1; worker < threads; ++worker)
        {
            m_threads.emplace_back(&WorkerTeam::Work, this, worker);
        }
    }
    catch (const std::system_error& error)
    {
        End();
        throw OdcnError::InOption("threads",
                                  std::to_string(threads),
                                  std::string("fewer: ") + error.what());
    }
}

WorkerTeam::~WorkerTeam()
{
    End();
}

void
WorkerTeam::End()
{
    const bool here = getpid() == m_process;
    if (here)
    {
        m_body = nullptr;
        ++m_calls;
        m_calls.notify_all();
    }
    for (auto& thread : m_threads)
    {
        here ? thread.join() : thread.detach();
    }
}

void
WorkerTeam::Run(std::size_t tasks, const Body& body)
{
    if (m_threads.empty() || getpid() != m_process)
    {
        body(0, tasks);
        return;
    }
    m_body = &body;
    m_tasks = tasks;
    m_busy = static_cast<uint32_t>(m_threads.size());
    ++m_calls;
    m_calls.notify_all();
    RunShare(0);
    for (uint32_t busy = m_busy; busy > 0; busy = m_busy)
    {
        Await(m_busy, busy);
    }
    std::exception_ptr first;
    for (auto& error : m_errors)
    {
        first = first ? first : error;
        error = nullptr;
    }
    if (first)
    {
        std::rethrow_exception(first);
    }
}

void
WorkerTeam::RunShare(std::size_t worker)
{
    const std::size_t begin = m_tasks * worker / m_errors.size();
    const std::size_t end = m_tasks * (worker + 1) / m_errors.size();
    if (begin == end)
    {
        return;
    }
    try
    {
        (*m_body)(begin, end);
    }
    catch (...)
    {
        m_errors[worker] = std::current_exception();
    }
}

void
WorkerTeam::Work(std::size_t worker)
{
    for (uint32_t calls = 0;; ++calls)
    {
        Await(m_calls, calls);
        if (!m_body)
        {
            return;
        }
        RunShare(worker);
        if (--m_busy == 0)
        {
            m_busy.notify_one();
        }
    }
}

} // namespace ns3::odcn
