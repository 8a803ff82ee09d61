// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_RECORDER_H
#define ODCN_FLOW_RECORDER_H

#include "odcn-flow-application.h"
#include "odcn-flow-workload.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

class Ranks;

/// Mean and quantiles of a sample; NaN when it is empty. What an incomplete flow takes is infinite.
struct FlowStatistics
{
    double mean; //!< mean; infinite if one value is
    double p50;  //!< smallest value that at least half of the sample does not exceed
    double p90;  //!< likewise 90 %
    double p99;  //!< likewise 99 %
};

/// Results of the flows of a range of sizes.
struct FlowSummary
{
    uint64_t fromBytes{0};   //!< smallest size
    uint64_t toBytes{0};     //!< smaller than this; UINT64_MAX for no bound
    uint64_t flows{0};       //!< all flows; flows - incomplete completed
    uint64_t incomplete{0};  //!< flows whose last byte has not been received, started or not
    FlowStatistics time;     //!< completion times in seconds
    FlowStatistics slowdown; //!< completion times over ideal times
    FlowStatistics unloadedSlowdown; //!< completion times over those alone in the network
};

/**
 * @ingroup odcn
 *
 * Records completion times of flows, and the goodput of the network.
 *
 * The slowdown of a flow is its completion time over its ideal time: the transmission of all its
 * packets at the sender's line rate, headers included, plus the Attribute BaseLatency. The unloaded
 * slowdown is that over the time of the same flow alone in the network (FlowPaths), 1 in an idle
 * one by UDP.
 *
 * An incomplete flow is later than all others: a quantile that reaches into them is infinite.
 */
class FlowRecorder : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FlowRecorder();

    /// Set the flows and forget all results. @param flows the flows, numbered as in the vector
    void SetFlows(const Traffic& flows);

    /**
     * Record a host. Hosts are connected in the order of their numbers.
     * @param host application of the next host
     */
    void Connect(Ptr<FlowApplication> host);

    /**
     * Take results of UDP flows that were not run by FlowApplication, for example those of
     * SchedulePackets, after SetFlows().
     *
     * @param result of the flows
     * @param rate line rate of the hosts  @param packetSize full packet in bytes
     * @param headers bytes of headers in each packet
     * @param stages what is done with flows that are incomplete, each with its number
     * @throws OdcnError when there are not as many times as flows
     */
    void SetResult(const TrafficResult& result,
                   DataRate rate,
                   uint32_t packetSize,
                   uint32_t headers,
                   const FlowApplication::FlowStages& stages = {});

    /**
     * Set the times of the flows alone in the network, after SetFlows(); FlowHelper does so.
     * @param times by flow; 0 where it is not known
     * @throws OdcnError when there are not as many as flows
     */
    void SetUnloadedTimes(const std::vector<Time>& times);

    /**
     * Add what the same recorder of the other ranks has recorded; all have the results of all hosts
     * then. After the run, once.
     * @param ranks all ranks
     */
    void Merge(Ranks& ranks);

    /// @return number of flows that have started
    std::size_t GetNStarted() const
    {
        return m_started;
    }

    /// @return number of flows whose last byte has been received
    std::size_t GetNCompleted() const
    {
        return m_completed;
    }

    /// @param flow number  @return its completion time, negative while it is incomplete
    Time GetCompletionTime(uint32_t flow) const
    {
        return m_times.at(flow);
    }

    /// @param flow number  @return its slowdown, NaN while it is incomplete
    double GetSlowdown(uint32_t flow) const;

    /// @param flow number  @return its unloaded slowdown, NaN while it is incomplete or if the time
    /// is not known
    double GetUnloadedSlowdown(uint32_t flow) const;

    /// @return how many flows are not complete, what they are doing, and the first of them; "" if
    /// all are complete
    std::string DescribeIncomplete() const;

    /// @param stages of flows or messages
    /// @return how many are in which stage, such as "being sent: 3, sent, but not received in full:
    /// 1"; "" for none
    static std::string DescribeStages(const FlowApplication::FlowStages& stages);

    /// @return results by size class, from the smallest, and at the end those of all flows
    std::vector<FlowSummary> Summarise() const;

    /// @return received application data in bit/s, for each GoodputWindow from time 0
    std::vector<double> GetGoodput() const;

    /**
     * Write a row for each flow: flow, source, destination, bytes, start_ns, completion_ns,
     * slowdown, unloaded_slowdown; the last three are empty for incomplete flows.
     * @param path CSV file  @throws OdcnError when it cannot be written
     */
    void WriteFlows(const std::string& path) const;

    /**
     * Write a row for each size class, as Summarise().
     * @param path CSV file  @throws OdcnError when it cannot be written
     */
    void WriteSummary(const std::string& path) const;

    /**
     * Write a row for each window: start_ns, goodput_gbps.
     * @param path CSV file  @throws OdcnError when it cannot be written
     */
    void WriteGoodput(const std::string& path) const;

    /// Signature of AllCompleted.
    typedef void (*AllCompletedTracedCallback)();

  protected:
    void DoDispose() override;

  private:
    /// @param edges sizes in bytes, increasing, separated by commas  @throws OdcnError otherwise
    void SetClassEdges(const std::string& edges);
    /// @return see SetClassEdges()
    std::string GetClassEdges() const;

    /// @param size of a vector by flow
    /// @param what it has
    /// @throws OdcnError when it is not the number of flows
    void CheckSize(std::size_t size, const std::string& what) const;

    /// @param fromBytes smallest size  @param toBytes smaller than this  @return results
    FlowSummary Summarise(uint64_t fromBytes, uint64_t toBytes) const;

    /// Sink of FlowStarted. @param flow number
    void Started(uint32_t flow);
    /// Sink of FlowCompleted. @param flow number  @param time completion time
    void Completed(uint32_t flow, Time time);
    /// Sink of Rx. @param flow number  @param bytes received
    void Received(uint32_t flow, uint32_t bytes);

    Time m_baseLatency;            //!< BaseLatency
    Time m_window;                 //!< GoodputWindow
    std::vector<uint64_t> m_edges; //!< ClassEdges

    Traffic m_flows;                           //!< all flows
    std::vector<Time> m_times;                 //!< completion times; negative if incomplete
    std::vector<Time> m_unloaded;              //!< see SetUnloadedTimes(); empty if unknown
    std::vector<Ptr<FlowApplication>> m_hosts; //!< applications by host
    DataRate m_rate;                           //!< see SetResult()
    uint32_t m_packetSize{0};                  //!< see SetResult(); 0 with applications
    uint32_t m_headers{0};                     //!< see SetResult()
    FlowApplication::FlowStages m_stages;      //!< see SetResult()
    std::vector<uint64_t> m_bytes;             //!< received bytes by window
    std::size_t m_started{0};                  //!< flows started
    std::size_t m_completed{0};                //!< flows completed
    TracedCallback<> m_allCompletedTrace;      //!< AllCompleted
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_RECORDER_H */
