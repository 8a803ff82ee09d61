// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-progress.h"

#include "odcn-live-page.h"

#include "ns3/odcn-interruption.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Seconds between redraws of the bar.
constexpr double REDRAW = 0.1;
/// Minimum and maximum seconds between two lines.
constexpr double LINE_LEAST = 5;
constexpr double LINE_MOST = 30;
/// Seconds between reports to a live page.
constexpr double LIVE = 0.5;
/// Width of the bar in characters.
constexpr std::size_t BAR = 24;

/// @param seconds a duration  @return the duration as m:ss or h:mm:ss
std::string
FormatDuration(double seconds)
{
    if (!(seconds < 1e7))
    {
        return "?";
    }
    const auto whole = static_cast<unsigned>(std::lround(std::max(0.0, seconds)));
    char text[48];
    if (whole >= 3600)
    {
        std::snprintf(text,
                      sizeof(text),
                      "%u:%02u:%02u",
                      whole / 3600,
                      whole / 60 % 60,
                      whole % 60);
    }
    else
    {
        std::snprintf(text, sizeof(text), "%u:%02u", whole / 60, whole % 60);
    }
    return text;
}

/// @param rate steps per second  @return the rate with three or more digits
std::string
FormatRate(double rate)
{
    char text[48];
    std::snprintf(text, sizeof(text), rate >= 100 ? "%.0f" : "%.3g", rate);
    return text;
}

/// @return width of the terminal at standard error, in characters
std::size_t
TerminalWidth()
{
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// @return time of the steady clock, in s
std::chrono::duration<double>
SteadySeconds()
{
    return std::chrono::steady_clock::now().time_since_epoch();
}

/// @return whether standard error is a terminal that can redraw a line
bool
CanRedraw()
{
    const char* term = std::getenv("TERM");
    return isatty(STDERR_FILENO) && term && std::string(term) != "dumb";
}

} // namespace

Progress::Progress(std::string label, uint64_t total, std::string unit)
    : Progress(std::move(label), total, std::move(unit), std::cerr, CanRedraw(), SteadySeconds)
{
}

Progress::Progress(std::string label,
                   uint64_t total,
                   std::string unit,
                   std::ostream& os,
                   bool terminal,
                   Clock clock)
    : m_label(std::move(label)),
      m_total(total),
      m_unit(std::move(unit)),
      m_os(os),
      m_terminal(terminal),
      m_clock(std::move(clock)),
      m_start(m_clock().count()),
      m_printed(m_start),
      m_told(m_start),
      m_read(m_start)
{
}

Progress::~Progress()
{
    if (m_drawn > 0)
    {
        m_os << std::endl;
    }
}

void
Progress::Update(uint64_t done, const std::function<std::string()>& metric)
{
    Interruption::Check();
    if (m_finished)
    {
        return;
    }
    const double now = m_clock().count();
    m_read = now;
    const double since = now - m_printed;
    const bool tenth =
        m_total > 0 && done / (0.1 * m_total) >= std::floor(m_printedDone / (0.1 * m_total)) + 1;
    const bool due =
        m_terminal ? since >= REDRAW : (since >= LINE_LEAST && tenth) || since >= LINE_MOST;
    const bool live = now - m_told >= LIVE && LivePage::Get();
    if (due || live)
    {
        const std::string text = Format(done, metric ? metric() : "", false);
        Tell(done, text);
        if (due)
        {
            m_printed = now;
            Print(done, text, false);
            m_printedDone = done;
        }
    }
}

void
Progress::Resume(uint64_t done)
{
    m_first = done;
    m_printedDone = done;
}

void
Progress::Finish(uint64_t done, const std::string& metric)
{
    if (!m_finished)
    {
        m_finished = true;
        m_read = m_clock().count();
        const std::string text = Format(done, metric, true);
        Tell(done, text);
        Print(done, text, true);
    }
}

void
Progress::Tell(uint64_t done, const std::string& text)
{
    if (LivePage* page = LivePage::Get())
    {
        page->SetProgress(text, GetShare(done));
        m_told = m_read;
    }
}

double
Progress::GetShare(uint64_t done) const
{
    return m_total > 0 ? std::min(1.0, static_cast<double>(done) / m_total) : std::nan("");
}

std::string
Progress::Format(uint64_t done, const std::string& metric, bool last) const
{
    const double elapsed = m_read - m_start;
    const double rate =
        elapsed > 0 ? static_cast<double>(done - std::min(done, m_first)) / elapsed : 0;
    std::string text = m_label + ": ";
    if (m_total > 0)
    {
        text +=
            std::to_string(static_cast<int>(100.0 * std::min(done, m_total) / m_total)) + " %, ";
    }
    text += std::to_string(done) + (last || m_total == 0 ? "" : "/" + std::to_string(m_total)) +
            " " + m_unit + ", " + FormatRate(rate) + "/s, ";
    if (last)
    {
        text += "took " + FormatDuration(elapsed);
    }
    else if (m_total > 0)
    {
        const double left = m_total > done ? static_cast<double>(m_total - done) : 0;
        text += "ETA " + FormatDuration(rate > 0 ? left / rate : INFINITY);
    }
    else
    {
        text += FormatDuration(elapsed);
    }
    if (!metric.empty())
    {
        text += ", " + metric;
    }
    return text;
}

void
Progress::Print(uint64_t done, std::string text, bool last)
{
    if (!m_terminal)
    {
        m_os << text << std::endl;
        return;
    }
    if (!last)
    {
        if (m_total > 0)
        {
            const auto full = static_cast<std::size_t>(GetShare(done) * BAR);
            text.insert(m_label.size() + 2,
                        "[" + std::string(full, '#') + std::string(BAR - full, '.') + "] ");
        }
        // A line that wraps cannot be redrawn.
        text.resize(std::min(text.size(), TerminalWidth() - 1));
    }
    const std::size_t length = text.size();
    text.resize(std::max(length, m_drawn), ' ');
    m_os << '\r' << text;
    m_drawn = length;
    if (last)
    {
        m_os << '\n';
        m_drawn = 0;
    }
    m_os.flush();
}

} // namespace ns3::odcn
