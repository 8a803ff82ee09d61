// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_ALLOCATION_SCHEDULER_H
#define RDDC_ALLOCATION_SCHEDULER_H

#include "odcn-window-scheduler.h"

#include "ns3/odcn-units.h"
#include "ns3/rddc-allocation.h"
#include "ns3/rddc-fabric.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::odcn
{

/// One way of a lightpath that sends packets in a window.
struct RddcFlow
{
    uint64_t request{0};     //!< whose lightpath it is
    RddcLightpath lightpath; //!< from the sender
    uint32_t tier{0};        //!< highest that it reaches, 0 to 2
    Ipv4Address peer;        //!< of the receiver
};

/// A measurement window of the disaggregated data centre.
struct RddcWindow
{
    uint32_t index{0};           //!< number of the window, from 0
    std::vector<RddcFlow> flows; //!< who sends; the index is the flow number in the packets
    Time opened;                 //!< sources start
    Time measureFrom;            //!< end of the warm-up
    Time closed;                 //!< the network is empty again
};

/**
 * @ingroup odcn
 *
 * The controller of the disaggregated data centre: each request that is granted gets its lightpaths
 * on an RddcFabric until it leaves. In a window all servers that hold a request together send each
 * other UDP packets over them, each pair both ways.
 *
 * With IncludeDark and a management network, requests whose lightpaths are set during the window
 * begin to send then, although the mirrors still turn.
 */
class AllocationScheduler : public WindowScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    AllocationScheduler();

    /// @param problem ready to decide: Reset() was called
    void SetProblem(Ptr<RddcAllocation> problem);

    /**
     * @param fabric the switches that it commands, of the problem's network. Without a fabric there
     * are no windows
     * @param flows the traffic application of every server
     * @throws OdcnError when the sizes differ
     */
    void SetFabric(Ptr<RddcFabric> fabric, std::vector<Ptr<JobFlowApplication>> flows);

    /// @return the fabric
    Ptr<RddcFabric> GetFabric() const
    {
        return m_fabric;
    }

    /// @return rate of a lightpath
    BitRate GetRate() const;

    /// @return granted requests that hold lightpaths now
    std::size_t GetNHeld() const
    {
        return m_held.size();
    }

    /// Signature of the window trace sources. @param window the window
    typedef void (*WindowTracedCallback)(const RddcWindow& window);
    /// Signature of Decided. @param granted whether the request was granted
    typedef void (*DecidedTracedCallback)(bool granted);

  protected:
    void DoDispose() override;
    void Begin() override;
    void End() override;
    bool GetNext(double& time) const override;
    bool DecideNext() override;
    void SetControlLatency(double time) override;
    void OpenWindow(Time warmUp, Time length) override;
    uint64_t CountInFlight() const override;
    void CloseWindow() override;

  private:
    /// RddcManager's Granted. @param grant what
    void Granted(const RddcGrant& grant);

    /// RddcManager's Released. @param grant what
    void Released(const RddcGrant& grant);

    /// @param request number  @param group its lightpaths
    /// @return one flow for each way of each lightpath
    std::vector<RddcFlow> GetFlowsOf(uint64_t request, RddcFabric::GroupId group) const;

    /// Let the flows of the window send from some on. @param first index of it
    void AddFlows(std::size_t first);

    double m_load;                                   //!< of a lightpath each way
    Ptr<RddcAllocation> m_problem;                   //!< what is decided
    Ptr<RddcFabric> m_fabric;                        //!< switches
    Time m_dark;                                     //!< until mirrors have turned
    std::map<uint64_t, RddcFabric::GroupId> m_held;  //!< by request
    RddcWindow m_window;                             //!< the present or the last window
    TracedCallback<bool> m_decidedTrace;             //!< a request was decided
    TracedCallback<const RddcWindow&> m_openedTrace; //!< sources start
    TracedCallback<const RddcWindow&> m_closedTrace; //!< the network is empty again
};

} // namespace ns3::odcn

#endif /* RDDC_ALLOCATION_SCHEDULER_H */
