// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-thread-team.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace odcn
{

OdcnThreadTeam::OdcnThreadTeam(uint32_t threads)
{
    for (uint32_t t = 1; t < threads; ++t)
    {
        m_threads.emplace_back(&OdcnThreadTeam::Wait, this, t);
    }
}

OdcnThreadTeam::~OdcnThreadTeam()
{
    {
        std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_begin.notify_all();
    for (auto& thread : m_threads)
    {
        thread.join();
    }
}

void
OdcnThreadTeam::Run(std::size_t tasks, const std::function<void(std::size_t, std::size_t)>& body)
{
    if (tasks < 2 || m_threads.empty())
    {
        for (std::size_t task = 0; task < tasks; ++task)
        {
            body(task, 0);
        }
        return;
    }
    {
        std::lock_guard lock(m_mutex);
        m_body = &body;
        m_tasks = tasks;
        m_next = 0;
        m_busy = m_threads.size();
        ++m_round;
    }
    m_begin.notify_all();
    Work(0);
    std::unique_lock lock(m_mutex);
    m_end.wait(lock, [this] { return m_busy == 0; });
    if (m_error)
    {
        std::rethrow_exception(std::exchange(m_error, nullptr));
    }
}

void
OdcnThreadTeam::Wait(std::size_t worker)
{
    uint64_t seen = 0;
    std::unique_lock lock(m_mutex);
    for (;;)
    {
        m_begin.wait(lock, [&] { return m_stop || m_round != seen; });
        if (m_stop)
        {
            return;
        }
        seen = m_round;
        lock.unlock();
        Work(worker);
        lock.lock();
        if (--m_busy == 0)
        {
            m_end.notify_one();
        }
    }
}

void
OdcnThreadTeam::Work(std::size_t worker)
{
    try
    {
        for (std::size_t task = m_next++; task < m_tasks; task = m_next++)
        {
            (*m_body)(task, worker);
        }
    }
    catch (...)
    {
        std::lock_guard lock(m_mutex);
        m_error = std::current_exception();
        m_next = m_tasks;
    }
}

} // namespace odcn
} // namespace ns3
