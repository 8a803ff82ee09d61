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

#include "ns3/application-container.h"
#include "ns3/nstime.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-circuit-animation.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-data-flow.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-recorder.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"

#include <cmath>
#include <cstdint>
#include <functional>
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

/// Flows to send over a network, and how long.
struct FabricFlows
{
    std::vector<ns3::odcn::DataFlow> flows; //!< the flows
    uint64_t shortFlows;                    //!< bytes
    ns3::Time until;                        //!< end; earlier if all flows have completed
    ns3::Time window;                       //!< of the goodput
    /// File of all flows to write, or "". Only such a run is in the report and the animation.
    std::string file;
    /// The run does not end before, and circuits that change are counted until then; 0 for the end.
    ns3::Time least{};
};

/// What is measured of flows over a network.
struct FabricResult
{
    std::vector<ns3::odcn::FlowSummary> classes; //!< by size, all flows last
    double hops{0};                //!< packets sent between switches, for each received one
    double reconfigurations{0};    //!< circuits changed per second
    double duty{std::nan("")};     //!< share of circuits' time in use; NaN without circuits
    double meanHeld{std::nan("")}; //!< bytes held by a ToR switch, mean; NaN if unknown
    double held{std::nan("")};     //!< most bytes that a ToR switch held; NaN if unknown
    uint64_t dropped{0};           //!< packets
    uint64_t packets{0};           //!< packets sent by servers
    uint64_t timeouts{0};          //!< of TCP
    uint64_t recoveries{0};        //!< of TCP, without a timeout
    std::vector<double> goodput;   //!< data received in bit/s, by window
    FaultSummary faults;           //!< of the run

    /// @param recorder of the flows  @param run the flows; writes their file, if any
    void SetFlows(const ns3::Ptr<ns3::odcn::FlowRecorder>& recorder, const FabricFlows& run);

    /// @param counts of the network  @param sent packets between switches
    void SetCounts(const ns3::odcn::OcsFabricCounts& counts, uint64_t sent);
};

/// Runs flows over one network after another, with the faults of the options.
class FabricRuns
{
  public:
    /// Sizes of flows that tables tell apart, bytes.
    static constexpr const char* CLASS_EDGES = "100000,1000000";

    /// @param system options  @param report gets what circuits and ToR switches do
    /// @param animation options of animations  @param tcp whether flows are sent by TCP, not UDP
    FabricRuns(const FabricSystem& system,
               FabricReport& report,
               const ns3::odcn::CircuitAnimation& animation,
               bool tcp);

    /// @param stream first stream of the replication
    void SetStream(int64_t stream)
    {
        m_stream = stream;
    }

    /// An optical fabric.
    struct Optical
    {
        std::string name;              //!< in the report
        ns3::odcn::OcsHelper helper;   //!< makes the fabric
        ns3::odcn::OcsFabricSize size; //!< its size
        bool hold;                     //!< whether flows that wait do so in their hosts
        /// Starts what sets up its circuits, which is kept until the run is over.
        std::function<ns3::Ptr<ns3::Object>(ns3::Ptr<ns3::odcn::OcsFabric>)> start;
    };

    /// @param fabric a fabric  @param run the flows  @return its results
    FabricResult Run(const Optical& fabric, const FabricFlows& run) const;

    /// @param name in the animation  @param network an electrical network  @param run the flows
    /// @return its results
    FabricResult Run(const std::string& name,
                     const ns3::Ptr<ns3::odcn::PacketNetwork>& network,
                     const FabricFlows& run) const;

  private:
    /// @param run the flows  @return a helper for them
    ns3::odcn::FlowHelper MakeFlows(const FabricFlows& run) const;

    /**
     * Send all flows, with faults.
     * @param name of the design  @param injector of faults that knows the network; null without
     * @param electrical whether the network has no optical switches
     * @param flows that has installed them  @param hosts their applications
     * @param draw adds the network to an animation  @param run the flows
     * @return results without those of the network
     */
    FabricResult Send(const std::string& name,
                      const ns3::Ptr<ns3::odcn::FaultInjector>& injector,
                      bool electrical,
                      const ns3::odcn::FlowHelper& flows,
                      const ns3::ApplicationContainer& hosts,
                      const std::function<void(ns3::odcn::TopologyDrawing&)>& draw,
                      const FabricFlows& run) const;

    const FabricSystem& m_system;                   //!< options
    FabricReport& m_report;                         //!< the report
    const ns3::odcn::CircuitAnimation& m_animation; //!< options of animations
    bool m_tcp;                                     //!< whether flows are sent by TCP
    int64_t m_stream{0};                            //!< first stream of the replication
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
