// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_WINDOW_SCHEDULER_H
#define ODCN_WINDOW_SCHEDULER_H

#include "odcn-job-flow-application.h"
#include "odcn-scheduler-application.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A scheduler with measurement windows, in which what was granted sends at its full demand for
 * WindowWarmUp + WindowLength. Then sources stop, the network drains, and only then does job time
 * go on: a window starts from an empty network and no packet leaks into the next one.
 *
 * A window opens as soon as all commands have been carried out and no circuit is dark. With
 * IncludeDark it opens at once, so that packets meet circuits that are still to be moved or are
 * being moved; to see the circuits come back, a window must be longer than the latency of a command
 * and the reconfiguration together.
 */
class WindowScheduler : public SchedulerApplication
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    WindowScheduler();

  protected:
    void DoDispose() override;
    void End() override;
    void Settled() override;

    /// @param flows traffic of each server
    void SetFlows(std::vector<Ptr<JobFlowApplication>> flows);

    /// @param server its number  @return its traffic
    const Ptr<JobFlowApplication>& GetFlows(std::size_t server) const
    {
        return m_flows[server];
    }

    /// A window is due: job time stands still until it has closed.
    void BeginWindow();

    /// @return whether sources send
    bool IsSending() const
    {
        return m_sending;
    }

    /**
     * The window opens: add all flows.
     * @param warmUp for which packets are not measured  @param length for which they are, after it
     */
    virtual void OpenWindow(Time warmUp, Time length) = 0;

    /// @return packets in the network
    virtual uint64_t CountInFlight() const = 0;

    /// The network is empty again.
    virtual void CloseWindow() = 0;

  private:
    /// Sources start.
    void Open();

    /// Sources stop.
    void StopSources();

    /// Wait until the network is empty.
    void Drain();

    Time m_warmUp;                                //!< of a window
    Time m_length;                                //!< of a window after its warm-up
    bool m_includeDark;                           //!< whether windows open at once
    bool m_waiting{false};                        //!< for commands to be carried out
    bool m_sending{false};                        //!< whether sources send
    uint64_t m_drainSteps{0};                     //!< that the window has waited so far
    std::vector<Ptr<JobFlowApplication>> m_flows; //!< by server
};

} // namespace ns3::odcn

#endif /* ODCN_WINDOW_SCHEDULER_H */
