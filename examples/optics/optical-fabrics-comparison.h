// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OPTICAL_FABRICS_COMPARISON_H
#define OPTICAL_FABRICS_COMPARISON_H

/**
 * @file
 * The runs of optical-fabrics.
 */

#include "flow-study.h"

#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-fabric-design.h"
#include "ns3/odcn-schedule-packets.h"

#include <cstdint>
#include <string>
#include <vector>

/// Designs of the comparison unless others are named: one of each kind, which the exact engine
/// knows.
inline const std::string USUAL_DESIGNS =
    "ideal,clos-3:1,expander,rotornet-direct,opera-hold,sirius,vermilion";

/// Options of the program.
struct ComparisonOptions : StudyOptions
{
    std::string demand{"uniform"}; //!< a pattern
    double load{0.1};              //!< of the servers' line rate
    std::string flows;             //!< file
    std::string own;               //!< text of a design
    std::string engine{"any"};     //!< any, packets, exact or flows
    std::string queues{"fifo"};    //!< fifo or fair
    uint32_t marks{65};            //!< queue in packets from which on DCTCP's are marked
    bool saturation{false};        //!< whether to measure the largest load
    double steady{8};              //!< duration of a run for that, ms

    /// @param cmd command line, which gets the options
    void Add(ns3::odcn::OdcnCommandLine& cmd);

    /// @return number of replications; 0 for as many as the intervals need
    uint32_t GetRuns() const
    {
        return flows.empty() ? replications : 1;
    }

    /// @return queue disc of switches, or ""
    std::string GetQueueDisc() const
    {
        const std::string from = std::to_string(marks);
        return transport == "dctcp"
                   ? "ns3::RedQueueDisc[MaxSize=1000000p|MinTh=" + from + "|MaxTh=" + from +
                         ".000001|QW=1|UseEcn=true|UseHardDrop=false|Gentle=false|MeanPktSize=1500]"
                   : "";
    }
};

/// Simulates designs with the same flows.
class FabricComparison : public FlowStudy
{
  public:
    /// @param options of the program
    explicit FabricComparison(ComparisonOptions& options)
        : FlowStudy(options),
          m_options(options)
    {
    }

    /// Choose the designs, and throw OdcnError unless they exist for these sizes.
    void Choose();

    /// @return designs that were chosen by a list and do not fit the size, a line each
    const std::string& GetLeftOut() const
    {
        return m_leftOut;
    }

    /// @return names of the designs that the engine was to run and does not know
    const std::string& GetInEvents() const
    {
        return m_inEvents;
    }

  private:
    /// Leave out the designs of a list of the program that do not fit the size. @throws OdcnError
    /// of one that was named, or if none fits
    void LeaveOut();

    /// @return engine that runs a design
    ns3::odcn::FabricEngine GetEngine(const ns3::odcn::FabricDesign& design) const;

    /// Find the designs that the engine does not know. @throws OdcnError if it knows none
    void CheckEngine();

    /// Refuse runs at saturation that need more memory than there is, and tell what others need.
    void CheckMemory() const;

    /// @return half of the duration of its runs at saturation
    ns3::Time GetSteadyHalf(const ns3::odcn::FabricDesign& design) const;

    void SetReplication(uint32_t replication) override;

    StudyResult Measure(std::size_t row, const std::string& file) override;

    /// @return largest load that can be carried, by links and circuits
    double FindBound(const ns3::odcn::FabricDesign& design) const;

    /// @return share of short flows in all bytes
    double GetShortShare() const;

    /**
     * Measure the largest load. All pairs of hosts send three packets at a time at regular
     * intervals, in proportion to the demand; a load is carried if at least 99 % of what is sent in
     * the second half of a run is received in it. Loads are bisected. With electrical uplinks, some
     * flows are short, two packets, so that their share of the bytes is that of the workload.
     * @return the load received at the largest one that is carried; the next one that is not is
     * greater by less than 1/64
     */
    double FindCarried(const ns3::odcn::FabricDesign& design);

    /// @param load of the servers' line rate, headers included
    /// @param until end
    /// @param part share of the bytes that flows of two packets have
    /// @return flows of three and two packets at regular intervals
    ns3::odcn::Traffic MakeSteadyFlows(double load, ns3::Time until, double part) const;

    /// Run flows in the engine of the design.
    StudyResult RunDesign(const ns3::odcn::FabricDesign& design, const StudyFlows& run);

    /// Run flows in the exact engine, with the results of ns-3.
    StudyResult RunExact(const ns3::odcn::FabricDesign& design, const StudyFlows& run);

    /// Run flows on the flow level.
    StudyResult RunFluid(const ns3::odcn::FabricDesign& design, const StudyFlows& run);

    /// @return helper with the queue discs of the transport
    ns3::odcn::FabricDesignHelper MakeHelper() const;

    /// @return its schedule
    ns3::Ptr<ns3::odcn::CircuitSchedule> MakeSchedule(const ns3::odcn::FabricDesign& design) const;

    /// Bytes of a flow of three packets.
    static constexpr uint64_t STEADY_BYTES = 3 * (1500 - ns3::odcn::SchedulePackets::HEADERS);

    ComparisonOptions& m_options;                   //!< of the program
    std::vector<ns3::odcn::FabricDesign> m_designs; //!< by row
    std::string m_leftOut;                          //!< see GetLeftOut()
    std::string m_inEvents;                         //!< see GetInEvents()
    ns3::odcn::DemandMatrix m_demand;               //!< of the replication
    ns3::odcn::Traffic m_flows;                     //!< of the replication
};

#endif /* OPTICAL_FABRICS_COMPARISON_H */
