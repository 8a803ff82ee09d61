// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-interruption.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <iterator>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Signals that interrupt a run: Ctrl-C, batch systems, a closed terminal, the limit on CPU time,
/// what batch systems send before the end, and timers.
constexpr std::pair<int, const char*> SIGNALS[] = {{SIGINT, "SIGINT"},
                                                   {SIGTERM, "SIGTERM"},
                                                   {SIGHUP, "SIGHUP"},
                                                   {SIGXCPU, "SIGXCPU"},
                                                   {SIGUSR1, "SIGUSR1"},
                                                   {SIGUSR2, "SIGUSR2"},
                                                   {SIGALRM, "SIGALRM"},
                                                   {SIGVTALRM, "SIGVTALRM"}};

/// The signal recorded; 0 if there is none. Read by all threads of a learner.
std::atomic<int> g_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers need it");

/// Number of guards; only the first changes the process's handlers, and only the last restores
/// them.
int g_guards = 0;
struct sigaction g_before[std::size(SIGNALS)];
struct sigaction g_beforeSize;
struct sigaction g_beforePipe;

/// @param number number of one of the signals
/// @return its name
std::string
GetName(int number)
{
    const auto* const found =
        std::find_if(std::begin(SIGNALS),
                     std::end(SIGNALS),
                     [number](const auto& signal) { return signal.first == number; });
    return found == std::end(SIGNALS) ? "signal " + std::to_string(number) : found->second;
}

/// Signal handler. @param number signal number
void
Record(int number)
{
    int none = 0;
    // The system repeats SIGXCPU every second; a hard limit ends the process.
    if (!g_signal.compare_exchange_strong(none, number) && number != SIGXCPU)
    {
        // The signal is delivered when the handler returns.
        std::signal(number, SIG_DFL);
        std::raise(number);
    }
}

} // namespace

Interruption::Guard::Guard()
{
    if (g_guards++ > 0)
    {
        return;
    }
    struct sigaction action = {};
    action.sa_handler = Record;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < std::size(SIGNALS); ++i)
    {
        const int number = SIGNALS[i].first;
        sigaction(number, nullptr, &g_before[i]);
        // nohup ignores SIGHUP.
        if (number != SIGHUP || g_before[i].sa_handler != SIG_IGN)
        {
            sigaction(number, &action, nullptr);
        }
    }
    action.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &action, &g_beforeSize);
    sigaction(SIGPIPE, &action, &g_beforePipe);
}

Interruption::Guard::~Guard()
{
    if (--g_guards > 0)
    {
        return;
    }
    for (std::size_t i = 0; i < std::size(SIGNALS); ++i)
    {
        sigaction(SIGNALS[i].first, &g_before[i], nullptr);
    }
    sigaction(SIGXFSZ, &g_beforeSize, nullptr);
    sigaction(SIGPIPE, &g_beforePipe, nullptr);
}

Interruption::Interruption(int signal, const std::string& rest)
    : std::runtime_error("interrupted by " + GetName(signal) + (rest.empty() ? "" : "; " + rest)),
      m_signal(signal)
{
}

void
Interruption::Check()
{
    if (const int signal = g_signal.load(std::memory_order_relaxed))
    {
        throw Interruption(signal);
    }
}

void
Interruption::Clear()
{
    g_signal = 0;
}

} // namespace ns3::odcn
