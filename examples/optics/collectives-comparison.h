// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef COLLECTIVES_COMPARISON_H
#define COLLECTIVES_COMPARISON_H

/**
 * @file
 * Collectives on designs of fabrics, for the program collectives.
 */

#include "ns3/odcn-collective.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-fabric-meter.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-timeline.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Options of the program.
struct CollectiveOptions : ns3::odcn::FabricSize
{
    std::string collectives{"all-reduce:ring,all-reduce:halving-doubling,"
                            "all-reduce:double-binary-tree,all-gather:ring,all-to-all:direct"};
    std::string designs{"all"};        //!< all, none, or names separated by commas
    std::string own;                   //!< text of one more design, or ""
    std::string engine{"packets"};     //!< packets, flows or exact
    std::string queues{"fifo"};        //!< fifo or fair
    std::string places{"order"};       //!< order or random
    uint64_t bytes{640000};            //!< size of each rank's vector in bytes
    uint64_t shortFlows{100000};       //!< messages of fewer bytes do not wait in Opera
    uint32_t replications{3};          //!< runs of each design and collective
    double limit{10};                  //!< longest simulated time of a run in seconds
    std::string output{"collectives"}; //!< folder of the results
    ns3::odcn::RunReport report;       //!< the report
    ns3::odcn::Timeline trace;         //!< of the first run of each design and collective

    /// @param cmd command line, which gets the options
    void Add(ns3::odcn::OdcnCommandLine& cmd);
};

/// A run of a collective on a design.
struct CollectiveResult
{
    double time;                    //!< simulated in seconds; infinite if it did not end
    double bound;                   //!< least time in seconds
    ns3::odcn::FabricEngine engine; //!< that ran it
    uint64_t packets;               //!< packets of messages
    uint64_t again;                 //!< packets sent again
    std::string open;               //!< what did not end; empty if all did
};

/// Runs collectives on designs.
class CollectiveComparison
{
  public:
    /// @param options of the program
    explicit CollectiveComparison(CollectiveOptions& options);

    /**
     * Run all, and print and write the results.
     * @throws OdcnError after that when a run did not end
     */
    void Run();

  private:
    /// What is known of a collective between its runs.
    struct Work
    {
        std::optional<ns3::odcn::Collective> read; //!< from a file; others are made for each run
        uint64_t steps;                            //!< their number
        uint64_t packets;                          //!< of all steps
    };

    /// @param index of a collective
    /// @return the collective
    ns3::odcn::Collective MakeCollective(std::size_t index);
    /// @param design a design
    /// @param index of a collective
    /// @param run number
    /// @return its result
    CollectiveResult Measure(const ns3::odcn::FabricDesign& design,
                             std::size_t index,
                             uint32_t run);
    /**
     * Run a collective in the exact engine.
     * @param helper builds designs
     * @param design one that it knows
     * @param index of a collective
     * @param number of the run
     * @param steps its messages
     * @param plan its circuits; null if electrical
     * @param stream first stream number of its random numbers
     * @param [in,out] result gets time, packets and what did not end
     */
    void MeasureExact(const ns3::odcn::FabricDesignHelper& helper,
                      const ns3::odcn::FabricDesign& design,
                      std::size_t index,
                      uint32_t number,
                      ns3::odcn::Traffic steps,
                      const ns3::Ptr<ns3::odcn::CircuitSchedule>& plan,
                      int64_t stream,
                      CollectiveResult& result);
    /// @param design a design
    /// @return "" if the engine of the option carries its messages, or why not
    std::string WhyNot(const ns3::odcn::FabricDesign& design) const;
    /// @param design a design
    /// @return what carries its messages: the engine of the option, or packets
    ns3::odcn::FabricEngine GetEngine(const ns3::odcn::FabricDesign& design) const;
    /// Print the engine of each design, and how many packets there will be.
    void PrintEngines() const;
    /// Report the progress of a run, again and again.
    /// @param job the run
    /// @param plane that carries it
    void Watch(const ns3::odcn::PlaneRun& job, const ns3::odcn::MessagePlane& plane);
    /// @throws OdcnError when a run did not end
    void CheckEnds() const;
    /// @param design a design
    /// @param collective what to run
    /// @param traffic between racks
    /// @param plan its circuits, or null
    /// @return its least time in seconds
    double FindBound(const ns3::odcn::FabricDesign& design,
                     const ns3::odcn::Collective& collective,
                     const ns3::odcn::DemandMatrix& traffic,
                     const ns3::Ptr<ns3::odcn::CircuitSchedule>& plan) const;
    /// @param run number of the run
    /// @param ranks number of ranks
    /// @return server of each rank
    std::vector<uint32_t> GetPlaces(uint32_t run, uint32_t ranks) const;
    /**
     * Draw the first run of a collective, and the circuits of the design with the first one.
     * @param design the design
     * @param index of the collective
     * @param steps its messages, rank by rank
     * @param result when they were sent and received
     * @param plan circuits, or null
     * @param end of the run
     */
    void Draw(const ns3::odcn::FabricDesign& design,
              std::size_t index,
              const ns3::odcn::Traffic& steps,
              const ns3::odcn::TrafficResult& result,
              const ns3::Ptr<ns3::odcn::CircuitSchedule>& plan,
              ns3::Time end);
    /// Print and write the results.
    /// @param files of the output folder
    void Report(ns3::odcn::OutputFiles& files);

    CollectiveOptions& m_options;                   //!< of the program
    std::vector<ns3::odcn::FabricDesign> m_designs; //!< to compare
    std::vector<std::string> m_names;               //!< of collectives
    std::vector<Work> m_works;                      //!< to run, by name
    std::optional<ns3::odcn::Collective> m_first;   //!< the first one, until it runs
    /// Name for the trace of a design and a collective, different for each
    std::map<std::pair<std::string, std::string>, std::string> m_traces;
    std::optional<ns3::odcn::Progress> m_progress; //!< in steps of collectives
    ns3::odcn::ReportChart& m_circuits;            //!< over time
    ns3::odcn::ReportChart& m_messages;            //!< over time
    uint64_t m_nSteps{0};                          //!< steps of the runs that are over
    /// [design][collective][run]
    std::vector<std::vector<std::vector<CollectiveResult>>> m_results;
};

#endif /* COLLECTIVES_COMPARISON_H */
