// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PROGRESS_H
#define ODCN_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Tells how far a long run is, with its rate and how long it will still take.
 *
 * On a terminal it is a bar redrawn ten times a second; elsewhere (a pipe, a log file) a line at
 * every tenth of the way, but no two within five seconds, and one at least every 30 s. Both close
 * with one line. Everything goes to standard error unless told otherwise, so that results can be
 * piped.
 */
class Progress
{
  public:
    /// What tells the time; only differences count.
    using Clock = std::function<std::chrono::duration<double>()>;

    /**
     * Report to standard error.
     * @param label what runs
     * @param total how many steps it has; 0 when that is not known
     * @param unit name of the steps, e.g. "jobs"
     */
    Progress(std::string label, uint64_t total, std::string unit);

    /**
     * @param label what runs
     * @param total how many steps it has; 0 when that is not known
     * @param unit name of the steps
     * @param os where to report
     * @param terminal whether that can redraw a line
     * @param clock the time
     */
    Progress(std::string label,
             uint64_t total,
             std::string unit,
             std::ostream& os,
             bool terminal,
             Clock clock);

    /// Leaves an unfinished bar on a line of its own.
    ~Progress();

    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /**
     * Cheap enough for every step.
     * @param done steps done so far
     * @param metric called only when something is printed: text to add, e.g. "blocking 8.2 %"
     */
    void Update(uint64_t done, const std::function<std::string()>& metric = nullptr);

    /**
     * The run has ended: print the closing line, once.
     * @param done steps done in all
     * @param metric text to add
     */
    void Finish(uint64_t done, const std::string& metric = "");

  private:
    /// @param done steps done  @param metric text  @param last whether the run has ended
    void Print(uint64_t done, const std::string& metric, bool last);

    std::string m_label;       //!< what runs
    uint64_t m_total;          //!< steps; 0 when not known
    std::string m_unit;        //!< name of the steps
    std::ostream& m_os;        //!< where to
    bool m_terminal;           //!< whether that redraws
    Clock m_clock;             //!< the time
    double m_start;            //!< when it began, in s
    double m_printed;          //!< when it last printed, in s
    uint64_t m_printedDone{0}; //!< how far it was then
    uint64_t m_calls{0};       //!< calls since the clock was read
    uint64_t m_stride{1};      //!< calls between two readings of the clock
    double m_read;             //!< when the clock was last read
    std::size_t m_drawn{0};    //!< length of the drawn bar
    bool m_finished{false};    //!< whether the closing line is out
};

} // namespace ns3::odcn

#endif /* ODCN_PROGRESS_H */
