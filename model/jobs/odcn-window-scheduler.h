// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_WINDOW_SCHEDULER_H
#define ODCN_WINDOW_SCHEDULER_H

#include "odcn-scheduler-application.h"

#include "ns3/odcn-job-flow-application.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A scheduler with measurement windows. In a window, granted jobs or requests send at their full
 * demand for WindowWarmUp + WindowLength. Then sources stop, the network drains, and job time
 * continues: each window starts from an empty network, and no packet leaks into the next one.
 *
 * A window opens when all commands have been carried out and no circuit is being reconfigured. With
 * IncludeDark it opens at once, so that packets meet circuits before and during reconfiguration; to
 * include the circuits' return, a window must be longer than the latency of a command plus the
 * reconfiguration time.
 */
class WindowScheduler : public SchedulerApplication
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    void DoDispose() override;
    void End() override;
    void Settled() override;

    /// @param flows traffic application of each server
    void SetFlows(std::vector<Ptr<JobFlowApplication>> flows);

    /// @return traffic applications by server
    const std::vector<Ptr<JobFlowApplication>>& GetFlows() const
    {
        return m_flows;
    }

    /// @return see Attribute IncludeDark
    bool IncludesDark() const
    {
        return m_includeDark;
    }

    /// Stop job time and open a window, when commands have been carried out or with IncludeDark.
    void BeginWindow();

    /// @return whether sources send
    bool IsSending() const
    {
        return m_sending;
    }

    /**
     * The window opens: add all flows.
     * @param warmUp duration without measurement  @param length duration with measurement after it
     */
    virtual void OpenWindow(Time warmUp, Time length) = 0;

    /// @return packets in the network
    virtual uint64_t CountInFlight() const = 0;

    /// The network has drained.
    virtual void CloseWindow() = 0;

  private:
    /// Start sources.
    void Open();

    /// Stop sources.
    void StopSources();

    /// Wait until the network is empty.
    void Drain();

    Time m_warmUp;            //!< duration of the warm-up
    Time m_length;            //!< duration of a window after its warm-up
    bool m_includeDark;       //!< whether windows open before commands are carried out
    bool m_waiting{false};    //!< whether a window waits for commands to be carried out
    bool m_sending{false};    //!< whether sources send
    uint64_t m_drainSteps{0}; //!< steps that the window has waited so far
    std::vector<Ptr<JobFlowApplication>> m_flows; //!< traffic applications by server
};

} // namespace ns3::odcn

#endif /* ODCN_WINDOW_SCHEDULER_H */
