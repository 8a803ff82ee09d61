// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_ALLOCATION_SCHEDULER_H
#define RDDC_ALLOCATION_SCHEDULER_H

#include "rddc-allocation.h"

#include "ns3/odcn-units.h"
#include "ns3/odcn-window-scheduler.h"
#include "ns3/rddc-fabric.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::odcn
{

/// A flow of packets in a window, over one direction of a lightpath.
struct RddcFlow
{
    uint64_t request{0};     //!< request that holds the lightpath
    RddcLightpath lightpath; //!< in the direction of the flow
    uint32_t tier{0};        //!< highest tier of the lightpath, 0 to 2
    Ipv4Address peer;        //!< address of the receiver
};

/// A measurement window of the disaggregated data centre.
struct RddcWindow
{
    uint32_t index{0};           //!< number of the window, from 0
    std::vector<RddcFlow> flows; //!< sources; the index is the flow number in the packets
    Time opened;                 //!< sources start
    Time measureFrom;            //!< end of the warm-up
    Time closed;                 //!< the network has drained
};

/**
 * @ingroup odcn
 *
 * The controller of the disaggregated data centre: each granted request holds its lightpaths on an
 * RddcFabric until it departs. In a window the servers of each request send UDP packets to each
 * other over its lightpaths, in both directions.
 *
 * Parts may fail, see RddcManager::SetFaults(). Requests that are interrupted lose their lightpaths
 * as those that have ended do. Job time stands still in a window, so no part fails within one; but
 * the parts that have failed when it opens lose its packets, also those of which the manager does
 * not know yet.
 *
 * With IncludeDark and a management network, requests whose lightpaths are set up during the window
 * start to send immediately, although the mirrors are still moving.
 */
class AllocationScheduler : public WindowScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param problem ready to decide: Reset() was called
    void SetProblem(Ptr<RddcAllocation> problem);

    /**
     * Set the fabric to control; without one there are no windows.
     * @param fabric packet model of the problem's network
     * @param flows the traffic application of every server
     * @throws OdcnError when the sizes differ
     */
    void SetFabric(Ptr<RddcFabric> fabric, std::vector<Ptr<JobFlowApplication>> flows);

    /// @return the fabric
    Ptr<RddcFabric> GetFabric() const
    {
        return m_fabric;
    }

    /// @return rate of a lightpath, bit/s
    BitRate GetRate() const;

    /// @return number of granted requests that hold lightpaths
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
    double GetNextChange() const override;
    void PassTo(double time) override;

    /// Decide the request that was begun. @return see DecideNext()
    bool DecideArrived();

    void SetControlLatency(double time) override;
    void OpenWindow(Time warmUp, Time length) override;
    uint64_t CountInFlight() const override;
    void CloseWindow() override;

  private:
    /// Sink of RddcManager's Granted. @param grant the grant
    void Granted(const RddcGrant& grant);

    /// Sink of RddcManager's Released and Interrupted. @param grant the grant
    void Released(const RddcGrant& grant);

    /// @param request number  @param group its lightpaths
    /// @return one flow for each direction of each lightpath
    std::vector<RddcFlow> GetFlowsOf(uint64_t request, RddcFabric::GroupId group) const;

    /// Start flows of the window. @param first index of the first one to start
    void AddFlows(std::size_t first);

    double m_load;                 //!< load of a lightpath each way, share of its rate
    Ptr<RddcAllocation> m_problem; //!< the decision problem
    Ptr<RddcFabric> m_fabric;      //!< packet model; null for none
    Time m_dark;                   //!< reconfiguration time of a switch
    std::map<uint64_t, RddcFabric::GroupId> m_held;  //!< lightpaths by request
    RddcWindow m_window;                             //!< the present or the last window
    TracedCallback<bool> m_decidedTrace;             //!< trace source Decided
    TracedCallback<const RddcWindow&> m_openedTrace; //!< trace source WindowOpened
    TracedCallback<const RddcWindow&> m_closedTrace; //!< trace source WindowClosed
};

} // namespace ns3::odcn

#endif /* RDDC_ALLOCATION_SCHEDULER_H */
