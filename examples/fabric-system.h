// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef FABRIC_SYSTEM_H
#define FABRIC_SYSTEM_H

/**
 * @file
 * The racks, links and schedules of optical-fabrics and fabric-jobs with their options, and what
 * both measure alike.
 */

#include "ns3/nstime.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-switch.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// @param value a number  @param unit its unit  @return text for an Attribute
std::string Text(double value, const std::string& unit);

/// Most hops of a packet between racks.
enum class Hops
{
    ONE,
    TWO,
    ANY,
};

/// A design of a network. Electrical ones have no schedule.
struct FabricDesign
{
    std::string name;     //!< for --designs
    std::string schedule; //!< a CircuitSchedule or a MatchingController with Attributes
    std::string routing;  //!< a TorRouting with Attributes
    Hops hops{Hops::ANY}; //!< of the routing, for the bound
    uint32_t uplinks{0};  //!< of a rack; 0 for the option
    std::string what;     //!< one line for --help and the output
    bool hold{false};     //!< whether flows that wait do so in their hosts
    /// Electrical uplinks of a rack besides those, for short flows; the others take the circuits.
    uint32_t electrical{0};

    /// @return whether circuits follow the measured demand
    bool IsController() const
    {
        return schedule.find("MatchingController") < schedule.find('[');
    }
};

/// Options of the network. All links have the same rate.
struct FabricSystem
{
    uint32_t racks;                  //!< number of racks
    uint32_t servers;                //!< servers of a rack
    uint32_t uplinks;                //!< uplinks of a rack
    double gbps{10};                 //!< rate of all links
    double slot{100};                //!< us
    double dark{10};                 //!< us
    double delay{500};               //!< from ToR to ToR, ns
    ns3::odcn::FaultHelper faults{}; //!< of parts of the network

    /// Add the options. @param cmd command line  @param withFaults whether those of faults, too
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd, bool withFaults = true);

    /// Check the options. @throws OdcnError when a slot has no time left for packets, or the faults
    /// are malformed
    void Check();

    /// @return racks, servers, uplinks, rate and slots
    std::string Describe() const;

    /// @param sizes name of a shipped CDF of flow sizes, path of a CDF, or a number of bytes
    /// @return value of the Attribute Sizes
    static std::string FindSizes(const std::string& sizes);

    /// @return text of a schedule of rotor switches in step
    std::string GetRotor() const;

    /// @return text of Opera's schedule: one switch at a time
    std::string GetOpera() const;

    /// @return text of a cyclic schedule with slots of three packets
    std::string GetSirius() const;

    /// @param algorithm a MatchingAlgorithm  @return text of its schedule, three cycles of rotor
    /// switches long
    std::string GetMatched(const std::string& algorithm) const;

    /// @return the designs that optical-fabrics compares
    std::vector<FabricDesign> GetDesigns() const;

    /**
     * @param designs as of GetDesigns()  @param name of one of them
     * @param option in which it was given  @param expected before the names, in the message
     * @return the design
     * @throws OdcnError when there is none of that name
     */
    static const FabricDesign& FindDesign(const std::vector<FabricDesign>& designs,
                                          const std::string& name,
                                          const std::string& option,
                                          const std::string& expected);

    /// @param design a design  @return optical uplinks of a rack
    uint32_t GetUplinks(const FabricDesign& design) const;

    /**
     * @param design with a schedule  @param demand for schedules that depend on it
     * @param stream of random numbers
     * @return its schedule
     */
    ns3::Ptr<ns3::odcn::CircuitSchedule> MakeSchedule(const FabricDesign& design,
                                                      const ns3::odcn::DemandMatrix& demand,
                                                      int64_t stream) const;

    /// @param routing a TorRouting with Attributes  @return helper for optical fabrics that hold
    ns3::odcn::OcsHelper MakeHelper(const std::string& routing) const;

    /**
     * @param name ideal, clos (over-subscribed 3:1) or fat-tree
     * @param queueDisc of switches, or ""
     * @return the network with its servers
     */
    ns3::Ptr<ns3::odcn::PacketNetwork> BuildElectrical(const std::string& name,
                                                       const std::string& queueDisc = "") const;

    /// @return spine switches of the network clos
    uint32_t GetClos() const;

    /**
     * Start the faults of the options.
     * @param injector null without faults  @param until they are sampled until then
     * @param stream first of FaultHelper::STREAMS  @param electrical whether the network has no
     * optical switches; faults of these are then left out
     * @param file of the faults to write, or ""
     */
    void StartFaults(ns3::Ptr<ns3::odcn::FaultInjector> injector,
                     ns3::Time until,
                     int64_t stream,
                     bool electrical,
                     const std::string& file) const;

    /// @param network a network  @param received packets that have arrived at servers
    /// @return packets sent between its switches
    static uint64_t CountSent(const ns3::odcn::PacketNetwork& network, uint64_t received);
};

/// Faults of a run.
struct FaultSummary
{
    uint64_t faults{0};     //!< number, of all parts
    double availability{1}; //!< of the kind of part with the lowest one

    FaultSummary() = default;

    /// @param injector of the run, or null
    explicit FaultSummary(ns3::Ptr<const ns3::odcn::FaultInjector> injector);
};

/// Count circuits that change. @param count sum  @param changes of one optical switch
void CountChanges(uint64_t* count, const std::vector<ns3::odcn::OcsPortChange>& changes);

/// The report of a comparison of fabrics: distributions of the flows, and what circuits and ToR
/// switches do in the first run.
class FabricReport
{
  public:
    FabricReport();
    ~FabricReport();

    /// @return the report, for options, tables and more charts
    ns3::odcn::RunReport& Get()
    {
        return m_report;
    }

    /// @param index of a class of flows by size  @return its title; the last one is of all flows
    static const std::string& GetClass(std::size_t index);

    /// Add the completion times of a run. @param design its name  @param path file of its flows
    void AddFlows(const std::string& design, const std::string& path);

    /// Record a fabric that is about to run. @param design its name  @param fabric the fabric
    /// @param uplinks optical uplinks of a rack
    void Watch(const std::string& design,
               const ns3::Ptr<ns3::odcn::OcsFabric>& fabric,
               uint32_t uplinks);

    /// The fabric of Watch(), if any, has run; call it before the simulator is destroyed.
    void EndWatch();

    /// Add the circuits of a schedule that runs without a fabric. @param design its name
    /// @param plan the schedule  @param end of the run
    void AddSchedule(const std::string& design,
                     const ns3::odcn::CircuitSchedule& plan,
                     ns3::Time end);

    /**
     * Add a chart of means over runs.
     * @param title title  @param unit of the values  @param facet what facets are, or ""
     * @return the chart
     */
    ns3::odcn::ReportChart& AddMeans(const std::string& title,
                                     const std::string& unit,
                                     const std::string& facet = "");

  private:
    struct Recording;

    ns3::odcn::RunReport m_report;          //!< the report
    ns3::odcn::ReportChart* m_completion;   //!< distributions of completion times
    ns3::odcn::ReportChart* m_circuits;     //!< circuits over time
    ns3::odcn::ReportChart* m_held;         //!< bytes held over time
    ns3::odcn::ReportChart* m_use;          //!< use of uplinks over time
    std::unique_ptr<Recording> m_recording; //!< of the fabric that runs
};

/// @param results of the replications  @param get a quantity; NaN where it is unknown
/// @return mean and interval
template <class R, class F>
ns3::odcn::Estimate
EstimateOf(const std::vector<R>& results, const F& get)
{
    std::vector<double> values;
    for (const R& result : results)
    {
        const double value = get(result);
        if (!std::isnan(value))
        {
            values.push_back(value);
        }
    }
    return ns3::odcn::MeanOfReplications(values);
}

/**
 * Add the mean over the runs of a design to a chart, unless it is unknown.
 * @param chart the chart  @param facet its facet, or ""  @param name of the design
 * @param results of the replications  @param get a quantity  @param scale factor
 */
template <class R, class F>
void
AddMean(ns3::odcn::ReportChart& chart,
        const std::string& facet,
        const std::string& name,
        const std::vector<R>& results,
        const F& get,
        double scale = 1)
{
    const ns3::odcn::Estimate estimate = EstimateOf(results, get);
    if (!std::isnan(estimate.mean))
    {
        chart.AddEstimate(facet, "", name, estimate, scale);
    }
}

/**
 * Add the charts of completion times by the size of flows.
 * @param report the report  @param names of the designs  @param results [design][run]
 */
template <class R>
void
AddCompletion(FabricReport& report,
              const std::vector<std::string>& names,
              const std::vector<std::vector<R>>& results)
{
    auto& median = report.AddMeans("Median completion time by size", "us", "flows");
    auto& tail = report.AddMeans("p99 of the completion time by size", "us", "flows");
    for (std::size_t d = 0; d < names.size(); ++d)
    {
        for (std::size_t c = 0; c < results[d][0].classes.size(); ++c)
        {
            const auto& flows = FabricReport::GetClass(c);
            const auto p50 = [c](const R& r) { return r.classes[c].time.p50; };
            const auto p99 = [c](const R& r) { return r.classes[c].time.p99; };
            AddMean(median, flows, names[d], results[d], p50, 1e6);
            AddMean(tail, flows, names[d], results[d], p99, 1e6);
        }
    }
}

/// As EstimateOf(). @param scale factor  @return the text
template <class R, class F>
std::string
MeanOf(const std::vector<R>& results, const F& get, double scale = 1)
{
    return ns3::odcn::FormatEstimate(EstimateOf(results, get), scale);
}

#endif /* FABRIC_SYSTEM_H */
