// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CONTINUOUS_TRAFFIC_H
#define ODCN_CONTINUOUS_TRAFFIC_H

#include "odcn-scheduling.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/ocs-packet-monitor.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// One accepted VM pair that sends packets.
struct OdcnFlow
{
    JobId job{0};          //!< job of the VMs
    uint32_t fromVm{0};    //!< index of the sending VM in the job
    uint32_t toVm{0};      //!< index of the receiving VM in the job
    ServerId from{0};      //!< server of the sending VM
    ServerId to{0};        //!< server of the receiving VM, different from @c from
    bool interRack{false}; //!< whether its packets cross the optical fabric
    BitRate rate{0};       //!< accepted demand, bit/s

    /**
     * Append the flows of a job.
     * @param manager knows the racks of the servers
     * @param job the job
     * @param intraRack whether VM pairs within a rack send, too
     * @param [in,out] flows the flows are appended, in the order of the job's demands
     */
    static void Append(const CsMgr& manager,
                       const OdcnPlacedJob& job,
                       bool intraRack,
                       std::vector<OdcnFlow>& flows);
};

/**
 * @ingroup odcn
 *
 * The packets of jobs that send for as long as they run. Flows are numbered as they start, and
 * their packets carry the numbers.
 *
 * A job runs until a time that is known when it begins, or until End(). Then its flows stop; their
 * packets in flight still arrive. With SetMessages() a job has bytes in place of that time, and
 * ends when they have arrived.
 */
class ContinuousTraffic
{
  public:
    /// A flow starts.
    /// @param number its number
    /// @param flow the flow
    typedef void (*FlowTracedCallback)(uint32_t number, const OdcnFlow& flow);
    /// A job has stopped sending. @param job the job
    typedef void (*JobTracedCallback)(JobId job);

    /**
     * @param fabric carries the packets
     * @param manager knows the racks of the servers
     * @param applications traffic of each server, rack by rack
     * @param intraRack whether VM pairs within a rack send, too
     */
    ContinuousTraffic(Ptr<OcsFabric> fabric,
                      const CsMgr& manager,
                      const std::vector<Ptr<JobFlowApplication>>& applications,
                      bool intraRack);

    ~ContinuousTraffic();

    ContinuousTraffic(const ContinuousTraffic&) = delete;
    ContinuousTraffic& operator=(const ContinuousTraffic&) = delete;

    /// The bytes of a flow of a job.
    using BytesOf = std::function<uint64_t(const OdcnPlacedJob& job, const OdcnFlow& flow)>;

    /**
     * Send the bytes of each flow as one message in place of paced packets. Messages of a job that
     * is interrupted are not withdrawn.
     * @param plane carries the messages, whose tags are the jobs
     * @param bytesOf called when a job begins
     */
    void SetMessages(Ptr<MessagePlane> plane, BytesOf bytesOf);

    /// @param ended called when a job's time or its bytes have come to their end, after End()
    void SetEnded(std::function<void(JobId)> ended)
    {
        m_ended = std::move(ended);
    }

    /**
     * Accept a job, which sends from now on or from Resume() on.
     * @param job the job
     * @param until simulated time of its end, unless it has messages to send; a job whose end has
     * passed sends nothing
     * @param waits whether it waits for Resume()
     */
    void Begin(const OdcnPlacedJob& job, Time until, bool waits);

    /// The circuits of a job that waits for them are up; others are not affected. @param job the
    /// job
    void Resume(JobId job);

    /// Stop a job; nothing happens if it does not run. @param job the job
    void End(JobId job);

    /// @param job a job
    /// @return whether it runs
    bool Runs(JobId job) const
    {
        return m_jobs.contains(job);
    }

    /// Stop all jobs.
    void Clear();

    /**
     * Measure the latency of a packet between racks; others are ignored.
     * @param header of a packet that has arrived
     * @param delay its one-way delay
     */
    void Received(const FlowHeader& header, Time delay);

    /// @return queues and latencies
    Ptr<OcsPacketMonitor> GetMonitor() const
    {
        return m_monitor;
    }

    TracedCallback<uint32_t, const OdcnFlow&> m_flowTrace; //!< see FlowTracedCallback
    TracedCallback<JobId> m_endTrace;                      //!< see JobTracedCallback

  private:
    /// A job.
    struct Running
    {
        std::vector<OdcnFlow> flows; //!< its flows
        uint32_t first{0};           //!< number of the first, once they have started
        std::vector<uint64_t> bytes; //!< of each flow; empty without messages
        std::size_t left{0};         //!< messages that have not arrived
        bool waits{false};           //!< whether they have not started
        EventId end;                 //!< its end
    };

    /// Start the flows of a job. @param job the job
    void Start(const std::shared_ptr<Running>& job);

    /// A job has come to its end. @param job the job
    void Finish(JobId job);

    Ptr<OcsFabric> m_fabric;                             //!< carries the packets
    const CsMgr& m_manager;                              //!< knows the racks of the servers
    std::vector<Ptr<JobFlowApplication>> m_applications; //!< by server
    bool m_intraRack;                                    //!< whether pairs within a rack send
    Ptr<OcsPacketMonitor> m_monitor;                     //!< queues and latencies
    Ptr<MessagePlane> m_plane;                           //!< carries messages; null for packets
    BytesOf m_bytesOf;                                   //!< see SetMessages()
    std::function<void(JobId)> m_ended;                  //!< see SetEnded()
    std::map<JobId, std::shared_ptr<Running>> m_jobs;    //!< jobs that run
    std::vector<OdcnFlow> m_flows;                       //!< all flows so far, by number
};

} // namespace ns3::odcn

#endif /* ODCN_CONTINUOUS_TRAFFIC_H */
