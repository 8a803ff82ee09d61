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
 * Reports the progress of a long run, with its rate and the estimated remaining time.
 *
 * On a terminal this is a bar redrawn at most ten times a second; elsewhere (a pipe, a log file) it
 * is a line at every tenth of the run, at least 5 s and at most 30 s after the previous one. Both
 * end with a closing line. The default output is standard error, so that results can be piped. A
 * LivePage, if there is one, is told twice a second.
 */
class Progress
{
  public:
    /// Returns the time in s; only differences matter.
    using Clock = std::function<std::chrono::duration<double>()>;

    /**
     * Report to standard error.
     * @param label name of the run
     * @param total number of steps; 0 when unknown
     * @param unit name of the steps, e.g. "jobs"
     */
    Progress(std::string label, uint64_t total, std::string unit);

    /**
     * @param label name of the run
     * @param total number of steps; 0 when unknown
     * @param unit name of the steps
     * @param os output stream
     * @param terminal whether @p os is a terminal that can redraw a line
     * @param clock source of the time
     */
    Progress(std::string label,
             uint64_t total,
             std::string unit,
             std::ostream& os,
             bool terminal,
             Clock clock);

    /// Ends the line of an unfinished bar.
    ~Progress();

    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// The run goes on with one that was interrupted, before the first Update().
    /// @param done steps that were done then, which tell nothing of the rate
    void Resume(uint64_t done);

    /**
     * Report progress; cheap enough to be called at every step. Throws an Interruption after a
     * signal that was recorded, see Interruption::Guard.
     * @param done steps done so far
     * @param metric called only when something is printed: text to add, e.g. "blocking 8.2 %"
     */
    void Update(uint64_t done, const std::function<std::string()>& metric = nullptr);

    /**
     * Print the closing line, once, at the end of the run.
     * @param done total number of steps done
     * @param metric text to add
     */
    void Finish(uint64_t done, const std::string& metric = "");

  private:
    /// @param done steps done  @return share of the total, at most 1; NaN when it is unknown
    double GetShare(uint64_t done) const;

    /// @param done steps done  @param metric text to add  @param last whether the run has ended
    /// @return label, steps, rate and time
    std::string Format(uint64_t done, const std::string& metric, bool last) const;

    /// @param done steps done  @param text of Format()  @param last whether the run has ended
    void Print(uint64_t done, std::string text, bool last);

    /// Tell the live page, if there is one. @param done steps done  @param text of Format()
    void Tell(uint64_t done, const std::string& text);

    std::string m_label;       //!< name of the run
    uint64_t m_total;          //!< number of steps; 0 when unknown
    std::string m_unit;        //!< name of the steps
    std::ostream& m_os;        //!< output stream
    bool m_terminal;           //!< whether m_os can redraw a line
    Clock m_clock;             //!< source of the time
    double m_start;            //!< start time in s
    double m_printed;          //!< time of the last output in s
    double m_told;             //!< when the live page was told last, in s
    uint64_t m_first{0};       //!< steps done before it began
    uint64_t m_printedDone{0}; //!< steps done at the last output
    double m_read;             //!< time of the last clock reading in s
    std::size_t m_drawn{0};    //!< length of the drawn line, in characters
    bool m_finished{false};    //!< whether the closing line was printed
};

} // namespace ns3::odcn

#endif /* ODCN_PROGRESS_H */
