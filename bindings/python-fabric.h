// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef PYTHON_FABRIC_H
#define PYTHON_FABRIC_H

/**
 * @file
 * A fabric that Python runs flows, collectives and training jobs on.
 */

#include "odcn-python.h"

#include "ns3/double.h"
#include "ns3/odcn-attribute-defaults.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-fabric-meter.h"
#include "ns3/odcn-flow-path.h"
#include "ns3/odcn-flow-recorder.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-run-guard.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-udp-flow-transport.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tor-switch.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

namespace odcn_python
{

using namespace ns3;
using namespace ns3::odcn;

/// Which random numbers a run has.
struct Draw
{
    uint64_t seed; //!< ns-3's run number
    uint32_t run;  //!< replication of the program, from 0

    /// @throws OdcnError when the seed is out of range
    void Check() const
    {
        if (seed < 1 || seed >= N_SEEDS)
        {
            throw OdcnError::InOption("seed", std::to_string(seed), "1 or more, less than 2^51");
        }
    }
};

/// Settings of ns-3 for one run. They end with it, and so does the simulation.
class RunScope
{
  public:
    /// @param draw random numbers of the run
    explicit RunScope(const Draw& draw)
    {
        ClaimSimulator(nullptr);
        RngSeedManager::SetRun(draw.seed);
    }

    ~RunScope()
    {
        Simulator::Destroy();
    }

    RunScope(const RunScope&) = delete;
    RunScope& operator=(const RunScope&) = delete;

  private:
    RunGuard m_run; //!< restores the run number
};

/// Columns of flows.
struct FlowColumns
{
    std::vector<uint32_t> source;      //!< server
    std::vector<uint32_t> destination; //!< server
    std::vector<uint64_t> bytes;       //!< application data
    std::vector<double> start;         //!< ns

    /// @return the same flows
    /// @throws OdcnError when one is malformed
    Traffic ToTraffic() const
    {
        Traffic traffic;
        for (std::size_t i = 0; i < source.size(); ++i)
        {
            if (!(start[i] >= 0 && start[i] < 9e15))
            {
                throw OdcnError::InOption("start_ns of flow " + std::to_string(i),
                                          FormatNumber(start[i]),
                                          "0 or more, less than 9e15");
            }
            traffic.Add(
                {source[i], destination[i], bytes[i], PicoSeconds(std::llround(start[i] * 1e3))});
        }
        return traffic;
    }
};

/// What a run of flows results in.
struct FlowsResult
{
    std::vector<double> completion;          //!< ns; NaN if incomplete
    std::vector<double> slowdown;            //!< see FlowRecorder
    std::vector<double> unloaded;            //!< see FlowRecorder
    FabricEngine engine;                     //!< that ran it
    PacketCounts packets;                    //!< none on the flow level
    uint64_t hops{0};                        //!< packets sent between switches
    FlowApplication::MessageCounts messages; //!< of a transport with answers
    double end{0};                           //!< of the run, s
    std::string open;                        //!< what is not complete, or ""
};

/// What a collective results in.
struct CollectiveRun
{
    FabricEngine engine;  //!< that ran it
    double time{NAN};     //!< s; NaN if it did not end
    double bound;         //!< least time by the fabric, s
    double least;         //!< least time by the ranks' links, s
    uint64_t packets{0};  //!< packets of messages
    uint64_t again{0};    //!< packets sent again
    std::string open;     //!< what did not end, or ""
    Traffic messages;     //!< its steps
    TrafficResult result; //!< their times
};

/// @param word of an engine
/// @return the engine
/// @throws OdcnError when there is none such
inline FabricEngine
ReadEngine(const std::string& word)
{
    const FabricEngine engine = FindEngine(word);
    if (word != GetName(engine))
    {
        throw OdcnError::InOption("engine", word, "packets, exact or flows");
    }
    return engine;
}

/// Call a function every 10 us of simulated time. @param update the function
inline void
Watch(const std::function<void()>& update)
{
    update();
    Simulator::Schedule(MicroSeconds(10), &Watch, update);
}

/// A fabric that runs what it is given, each time from an empty network.
class Fabric
{
  public:
    /// Largest number of racks, that of the programs.
    static constexpr uint32_t MOST_RACKS = 4096;

    /**
     * @param design name, or text as of FabricDesign::Parse()
     * @param size racks, links and times
     * @param queues fifo or fair
     * @param attributes of FlowApplication and TorSwitch
     */
    Fabric(const std::string& design,
           const FabricSize& size,
           const std::string& queues,
           const Texts& attributes)
        : m_design(design.find(';') == std::string::npos ? FabricDesign::Find(design, size)
                                                         : FabricDesign::Parse(design, size)),
          m_attributes(attributes)
    {
        size.Check();
        if (size.racks > MOST_RACKS)
        {
            throw OdcnError::InOption("racks",
                                      std::to_string(size.racks),
                                      "2 to " + std::to_string(MOST_RACKS));
        }
        if (queues != "fifo" && queues != "fair")
        {
            throw OdcnError::InOption("queues", queues, "fifo or fair");
        }
        m_helper.SetFairQueues(queues == "fair");
        RunAlone(
            [&]
            {
                AttributeScope scope;
                SetAttributes(scope);
                m_design.Check(DemandMatrix::Make("uniform", size.racks), 0);
            });
    }

    /// @return its design
    const FabricDesign& GetDesign() const
    {
        return m_design;
    }

    /// @return builds it
    const FabricDesignHelper& GetHelper() const
    {
        return m_helper;
    }

    /// @param scope gets the Attributes
    /// @throws OdcnError when one is unknown, out of range, or said by the design
    void SetAttributes(AttributeScope& scope) const;

    /// @param engine word of an engine
    /// @return "" if it carries traffic of the design, or why not
    std::string WhyNot(const std::string& engine) const
    {
        std::string reason;
        RunAlone(
            [&]
            {
                AttributeScope scope;
                SetAttributes(scope);
                reason = m_design.WhyNot(ReadEngine(engine));
            });
        return reason;
    }

    /**
     * @param pattern of the demand
     * @param draw random numbers
     * @return the demand between racks
     */
    DemandMatrix MakeDemand(const std::string& pattern, const Draw& draw) const
    {
        draw.Check();
        const RunGuard guard;
        RngSeedManager::SetRun(draw.seed);
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(GetStream(draw));
        return DemandMatrix::Make(pattern, m_design.GetSize().racks, random);
    }

    /**
     * @param demand between racks
     * @param sizes a name of data/flow-cdf, a number of bytes, or the path of a CDF
     * @param load of the servers' line rate
     * @param duration in which flows start, ms
     * @param draw random numbers
     * @return flows at random times
     */
    FlowColumns MakeFlows(const DemandMatrix& demand,
                          const std::string& sizes,
                          double load,
                          double duration,
                          const Draw& draw) const
    {
        if (!(load > 0 && load <= 1) || !(duration > 0 && duration <= 1e6))
        {
            throw OdcnError("load and duration: found " + FormatNumber(load) + " and " +
                            FormatNumber(duration) +
                            ", expected above 0 to 1 of the line rate, and up to 1e6 ms");
        }
        const std::string file = GetDataFile("flow-cdf/" + sizes + ".csv");
        const bool isName = sizes.find_first_not_of("0123456789") != std::string::npos &&
                            sizes.find_first_of("/.") == std::string::npos;
        if (isName && !std::filesystem::exists(file))
        {
            throw OdcnError::InOption(
                "workload",
                sizes,
                "websearch, datamining, hadoop, google-rpc, a number of bytes, or a path of a CDF");
        }
        const RunGuard guard;
        RngSeedManager::SetRun(draw.seed);
        const auto workload = CreateObject<FlowWorkload>();
        workload->SetAttribute("Load", DoubleValue(load));
        workload->SetAttribute("HostRate", StringValue(GetRate()));
        workload->SetAttribute("Sizes", StringValue(isName ? file : sizes));
        workload->SetAttribute("Duration", TimeValue(ToTime(duration)));
        workload->AssignStreams(GetStream(draw) + 1);
        FlowColumns columns;
        for (const Traffic::Item& flow : workload->Generate(demand, m_design.GetSize().servers))
        {
            columns.source.push_back(flow.from);
            columns.destination.push_back(flow.to);
            columns.bytes.push_back(flow.bytes);
            columns.start.push_back(double(flow.start.GetPicoSeconds()) / 1e3);
        }
        return columns;
    }

    /**
     * @param flows what to send
     * @param demand for schedules that depend on it; empty for that of the flows
     * @param engine that runs them
     * @param shortFlows flows of fewer bytes are short
     * @param drain longest time after the last start, ms
     * @param draw random numbers
     * @param progress of the run
     * @return the result
     */
    FlowsResult Run(const Traffic& flows,
                    const DemandMatrix& demand,
                    FabricEngine engine,
                    uint64_t shortFlows,
                    double drain,
                    const Draw& draw,
                    ProgressCall& progress) const
    {
        draw.Check();
        m_design.RefusePhases();
        if (!(drain >= 0 && drain <= 1e9))
        {
            throw OdcnError::InOption("drain", FormatNumber(drain), "0 to 1e9 ms");
        }
        Time last;
        for (const Traffic::Item& flow : flows)
        {
            last = std::max(last, flow.start);
        }
        const Time until = last + ToTime(drain);
        const RunScope run(draw);
        AttributeScope scope;
        SetAttributes(scope);
        const FabricSize& size = m_design.GetSize();
        const DemandMatrix told = demand.GetNRacks() > 0
                                      ? demand
                                      : DemandMatrix::FromFlows(flows, size.racks, size.servers);
        FlowsResult result = engine == FabricEngine::EXACT
                                 ? RunExact(flows, told, shortFlows, until, draw)
                             : engine == FabricEngine::FLOWS
                                 ? RunFluid(flows, told, until, draw, progress)
                                 : RunPackets(flows, told, shortFlows, until, draw, progress);
        result.engine = engine;
        return result;
    }

    /**
     * @param text of a collective, or a file
     * @param bytes of each rank
     * @param places server of each rank; empty for rank i at server i
     * @param engine that runs it
     * @param shortFlows messages of fewer bytes are short
     * @param limit longest simulated time, s
     * @param draw random numbers
     * @param progress of the run
     * @return the result
     */
    CollectiveRun RunCollective(const std::string& text,
                                uint64_t bytes,
                                std::vector<uint32_t> places,
                                FabricEngine engine,
                                uint64_t shortFlows,
                                double limit,
                                const Draw& draw,
                                ProgressCall& progress) const;

    /**
     * @param demand between racks, in links
     * @param cuts whether cuts bound it, instead of a linear program
     * @return largest theta for which theta x demand can be carried
     * @throws OdcnError when it takes a linear program, and there is no GLPK
     */
    double GetBound(const DemandMatrix& demand, bool cuts) const
    {
        AttributeScope scope;
        SetAttributes(scope);
        FabricBoundScope what;
        what.withExpedited = false;
        what.mustSolve = true;
        what.mostRacks = cuts ? 0 : what.mostRacks;
        return m_design.GetBound(demand, what);
    }

  private:
    /// @param ms milliseconds
    /// @return the time
    static Time ToTime(double ms)
    {
        return MicroSeconds(std::llround(ms * 1e3));
    }

    /// @param draw random numbers
    /// @return first stream of optical-fabrics
    static int64_t GetStream(const Draw& draw)
    {
        return 100000 * int64_t{draw.run};
    }

    /// @return rate of a server's link
    std::string GetRate() const
    {
        return FormatNumber(m_design.GetSize().GetServerGbps()) + "Gbps";
    }

    /// @param flows what was sent
    /// @param recorder of them
    /// @param [out] result gets their times
    static void Take(const Traffic& flows, const FlowRecorder& recorder, FlowsResult& result)
    {
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            const Time time = recorder.GetCompletionTime(i);
            result.completion.push_back(
                time.IsStrictlyNegative() ? NAN : double(time.GetPicoSeconds()) / 1e3);
            result.slowdown.push_back(recorder.GetSlowdown(i));
            result.unloaded.push_back(recorder.GetUnloadedSlowdown(i));
        }
        result.open = recorder.DescribeIncomplete();
    }

    /// Run() in ns-3's packets.
    FlowsResult RunPackets(const Traffic& flows,
                           const DemandMatrix& demand,
                           uint64_t shortFlows,
                           Time until,
                           const Draw& draw,
                           ProgressCall& progress) const;
    /// Run() in the exact engine.
    FlowsResult RunExact(const Traffic& flows,
                         const DemandMatrix& demand,
                         uint64_t shortFlows,
                         Time until,
                         const Draw& draw) const;
    /// Run() on the flow level.
    FlowsResult RunFluid(const Traffic& flows,
                         const DemandMatrix& demand,
                         Time until,
                         const Draw& draw,
                         ProgressCall& progress) const;

    FabricDesign m_design;       //!< circuits, routing and size
    Texts m_attributes;          //!< of FlowApplication and TorSwitch
    FabricDesignHelper m_helper; //!< builds it
};

} // namespace odcn_python

#endif /* PYTHON_FABRIC_H */
