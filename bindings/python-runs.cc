// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Runs without Python's lock: one at a time, stopped by signals.
 */

#include "odcn-python.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-object-text.h"
#include "ns3/string.h"

#include <atomic>
#include <csignal>
#include <mutex>
#include <pthread.h>

namespace odcn_python
{

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// RunAlone() has it alone; environments share it.
std::shared_mutex g_runs;

/// Whether this thread is within RunAlone(), as a progress function of Python is.
thread_local bool g_isRunning = false;

/// Whether a thread is within RunAlone().
std::atomic<bool> g_isBusy{false};

/// See IsForkedWithinRun().
bool g_isForked = false;

/// @throws OdcnError when this thread has the runs already, or the process that had them forked
void
RefuseWithinRun()
{
    CheckProcess();
    if (g_isRunning)
    {
        throw OdcnError("a run goes on: its progress function can start nothing else");
    }
}

/// Uses the simulator across calls, or null.
const void* g_simulator = nullptr;

} // namespace

std::shared_lock<std::shared_mutex>
ShareRuns()
{
    RefuseWithinRun();
    std::shared_lock<std::shared_mutex> lock(g_runs, std::try_to_lock);
    if (!lock)
    {
        const py::gil_scoped_release release;
        lock.lock();
    }
    return lock;
}

void
RunAlone(const std::function<void()>& run)
{
    RefuseWithinRun();

    struct Mark
    {
        Mark()
        {
            g_isRunning = g_isBusy = true;
        }

        ~Mark()
        {
            g_isRunning = g_isBusy = false;
        }
    };

    try
    {
        const py::gil_scoped_release release;
        const std::unique_lock alone(g_runs);
        const Mark mark;
        const Interruption::Guard guard; // Python's own handler would wait for the end
        run();
    }
    catch (const Interruption& stop)
    {
        Interruption::Clear();
        std::raise(stop.GetSignal());
        if (PyErr_CheckSignals() != 0)
        {
            throw py::error_already_set();
        }
        throw OdcnError(stop.what());
    }
}

bool
IsForkedWithinRun()
{
    return g_isForked;
}

void
CheckProcess()
{
    if (g_isForked)
    {
        throw OdcnError("this process was forked while a run, or an episode with packets, went on: "
                        "fork before, or "
                        "start processes by spawn");
    }
}

void
WatchForks()
{
    pthread_atfork(nullptr, nullptr, [] { g_isForked = g_isForked || g_isBusy || g_simulator; });
}

void
ClaimSimulator(const void* owner)
{
    if (g_simulator && g_simulator != owner)
    {
        throw OdcnError(
            "an environment with packets has begun an episode: close() it first, since a "
            "process has one simulator");
    }
    g_simulator = owner;
}

void
ReleaseSimulator(const void* owner)
{
    g_simulator = g_simulator == owner ? nullptr : g_simulator;
}

void
CheckValue(TypeId type, const std::string& name, const std::string& text)
{
    TypeId::AttributeInformation attribute;
    type.LookupAttributeByName(name, &attribute);
    // ns-3 would end the process.
    if (!ObjectText::IsReadable(type, name, text) ||
        !attribute.checker->CreateValidValue(StringValue(text)))
    {
        const std::string range = attribute.checker->GetUnderlyingTypeInformation();
        throw OdcnError::InOption(name,
                                  text,
                                  "a value of " + type.GetName() + "::" + name +
                                      (range.empty() ? "" : ", " + range));
    }
}

AttributeScope::~AttributeScope()
{
    for (auto entry = m_before.rbegin(); entry != m_before.rend(); ++entry)
    {
        GivenAttributes::SetInitialValue(entry->first, entry->second);
    }
}

void
AttributeScope::Add(const std::vector<TypeId>& types,
                    const std::string& name,
                    const std::string& text)
{
    const auto colons = name.rfind("::");
    const std::string attribute = colons == std::string::npos ? name : name.substr(colons + 2);
    std::string names;
    for (const TypeId& type : types)
    {
        names += (names.empty() ? "" : " or ") + type.GetName();
        const std::string path = type.GetName() + "::" + attribute;
        TypeId::AttributeInformation information;
        const bool isNamed = colons == std::string::npos || path == name ||
                             path == "ns3::odcn::" + name || path == "ns3::" + name;
        if (!isNamed || !type.LookupAttributeByName(attribute, &information))
        {
            continue;
        }
        CheckValue(type, attribute, text);
        m_before.emplace_back(path, information.initialValue);
        GivenAttributes::SetDefaultText(path, text);
        m_given.Add(name, path, text);
        return;
    }
    throw OdcnError::InOption("Attribute", name, "an Attribute of " + names);
}

void
ProgressCall::Update(uint64_t done, uint64_t all, Time now)
{
    Interruption::Check();
    if (!m_isWanted)
    {
        return;
    }
    const auto clock = std::chrono::steady_clock::now();
    if (clock - m_at < std::chrono::milliseconds(500) && done < all)
    {
        return;
    }
    m_at = clock;
    const py::gil_scoped_acquire acquire;
    m_function(done, all, now.GetSeconds());
}

} // namespace odcn_python
