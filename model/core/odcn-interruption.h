// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_INTERRUPTION_H
#define ODCN_INTERRUPTION_H

#include <stdexcept>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A run was stopped by SIGINT (Ctrl-C), SIGTERM (batch systems), SIGHUP (a closed terminal),
 * SIGXCPU (the limit on CPU time), SIGUSR1, SIGUSR2 (warnings of batch systems before the end) or
 * SIGALRM, SIGVTALRM (timers).
 *
 * While a Guard exists, the first signal is only recorded; Check(), which Progress::Update() calls,
 * then throws an Interruption, so that destructors remove temporary files and finished results can
 * be written. A second signal ends the process at once. Programs end with
 * OdcnCommandLine::Report(). It is not an OdcnError, since nothing is wrong.
 */
class Interruption : public std::runtime_error
{
  public:
    /**
     * Records these signals during its lifetime; SIGHUP stays ignored if it is (nohup). Meanwhile,
     * a write beyond the limit on the size of files, or to a pipe that no process reads, fails,
     * instead of SIGXFSZ or SIGPIPE ending the process.
     * Guards may be nested.
     */
    class Guard
    {
      public:
        Guard();
        ~Guard();
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;
    };

    /// @param signal signal number  @param rest what was kept, and how to go on; may be empty
    explicit Interruption(int signal, const std::string& rest = "");

    /// @return signal number
    int GetSignal() const
    {
        return m_signal;
    }

    /// @return exit status by convention: 128 and the signal's number, 143 after SIGTERM
    int GetStatus() const
    {
        return 128 + m_signal;
    }

    /// Throw an Interruption if a signal was recorded; fast enough for every step of a run.
    static void Check();

    /// Forget a recorded signal, to go on after an Interruption.
    static void Clear();

  private:
    int m_signal; //!< signal number
};

} // namespace ns3::odcn

#endif /* ODCN_INTERRUPTION_H */
