// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef FLOW_STUDY_H
#define FLOW_STUDY_H

/**
 * @file
 * Flows over one network after another: what optical-fabrics and fabric-jobs measure and report
 * alike.
 */

#include "ns3/odcn-circuit-animation.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-fabric-meter.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-figure.h"
#include "ns3/odcn-flow-recorder.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-sequential-stopping.h"

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// Options of the network, the flows and the runs.
struct StudyOptions : ns3::odcn::FabricSize
{
    ns3::odcn::FaultHelper faults;          //!< of parts of the network
    double duration{20};                    //!< ms
    double drain{80};                       //!< ms
    std::string sizes{"websearch"};         //!< of flows
    uint64_t shortFlows{2000000};           //!< bytes
    std::string transport{"udp"};           //!< udp, nack, credits, tcp or dctcp
    uint32_t window{20};                    //!< of credits, packets
    double reorder{20};                     //!< ms
    std::string designs{"all"};             //!< names
    uint32_t replications{3};               //!< number; 0 for as many as stopping says
    ns3::odcn::SequentialStopping stopping; //!< of replications
    double time{270};                       //!< s by the clock after which no such run starts
    std::string output;                     //!< folder
    ns3::odcn::RunReport report;            //!< the report
    ns3::odcn::CircuitAnimation animation;  //!< of the first run of each design

    /// @return whether flows are TCP's
    bool IsTcp() const
    {
        return transport == "tcp" || transport == "dctcp";
    }

    /// @return whether lost packets of UDP are sent again
    bool IsRepaired() const
    {
        return transport == "nack" || transport == "credits";
    }

    /// @return FlowApplication::Window
    uint32_t GetWindow() const
    {
        return transport == "credits" ? window : 0;
    }

    /// @param cmd command line, which gets the options of the network and its faults
    void AddNetworkOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// @param cmd command line, which gets the options of flows
    void AddFlowOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// @param cmd command line, which gets the options of the comparison
    /// @param help of the option designs
    void AddStudyOptions(ns3::odcn::OdcnCommandLine& cmd, const std::string& help);

    /// @throws OdcnError when a slot has no time left for packets, or the faults are malformed
    void CheckNetwork();

    /// @return value of the Attribute Sizes: a number of bytes, or the path of a CDF
    std::string GetSizes() const;
};

/// Flows to send over a network, and how long.
struct StudyFlows
{
    ns3::odcn::Traffic flows; //!< the flows
    uint64_t shortFlows;      //!< bytes
    ns3::Time until;          //!< end; earlier if all flows have completed
    ns3::Time window;         //!< of the goodput
    /// File of all flows to write, or "". Only such a run is in the report and the animation.
    std::string file{};
    ns3::Time least{}; //!< the run does not end before
    /// End of the time over which circuits' use and changes, and bytes held, are averaged; 0 for
    /// that of the run.
    ns3::Time measured{};
    bool isCounted{true}; //!< whether the slowdowns of its flows are in the report
};

/// What is measured of a run; the last members by one of the programs only.
struct StudyResult
{
    std::vector<ns3::odcn::FlowSummary> classes{}; //!< by size, all flows last
    std::vector<double> goodput{};                 //!< data received in bit/s, by window
    double hops{0};                //!< packets sent between switches, for each received one
    double reconfigurations{0};    //!< circuits changed per second
    double duty{std::nan("")};     //!< share of circuits' time in use; NaN without circuits
    double meanHeld{std::nan("")}; //!< bytes held by a ToR switch, mean; NaN if unknown
    double held{std::nan("")};     //!< most bytes that a ToR switch held; NaN if unknown
    uint64_t dropped{0};           //!< packets
    uint64_t packets{0};           //!< packets sent by servers
    uint64_t timeouts{0};          //!< of TCP
    uint64_t recoveries{0};        //!< of TCP, without a timeout
    uint64_t again{0};             //!< packets sent again, by UDP
    uint64_t duplicates{0};        //!< packets received twice, by UDP
    uint64_t faults{0};            //!< of all parts
    double availability{1};        //!< of the kind of part with the lowest one
    double offered{0};             //!< bytes of the flows
    double delivered{0};           //!< share of them that was received; of jobs, bytes in time
    double bound{0};               //!< largest load that can be carried
    double carried{0};             //!< largest load, measured
    /// That ran it.
    ns3::odcn::FabricEngine engine{ns3::odcn::FabricEngine::PACKETS};
    uint64_t jobs{0};        //!< jobs that arrived while flows start
    uint64_t blockedJobs{0}; //!< jobs of them that were blocked
    double blocking{0};      //!< share of all jobs blocked, those of the warm-up included

    /// @param counts of the network
    /// @param sent packets between switches
    void SetCounts(const ns3::odcn::PacketCounts& counts, uint64_t sent);
};

/// Stop at a signal, also within a long run. To be called before Simulator::Run().
void CheckSignals();

/// A figure of merit of a run: a column of the table, of summary.csv or both, and a chart.
struct StudyFigure
{
    /// Value of a figure; counts stay whole in files.
    using Value = std::variant<double, uint64_t>;

    ns3::odcn::FigureOfMerit merit; //!< name in summary.csv, title in the table, unit and scale
    std::function<Value(const StudyResult&)> get; //!< NaN where it is unknown
    std::string chart{};                          //!< title of its chart; empty for none
    std::string facet{};                          //!< its facet in that chart
    double most{HUGE_VAL};                        //!< the greatest possible value; the least is 0
};

/**
 * @param title in the table
 * @param index of a class of flows by size; the last one is of all flows
 * @param quantile of its completion times
 * @param scale from seconds to the unit of the table
 * @return the figure
 */
StudyFigure CompletionFigure(const std::string& title,
                             std::size_t index,
                             double ns3::odcn::FlowStatistics::*quantile,
                             double scale);

/// @return the figure of the share of flows that completed, in per cent
StudyFigure CompleteFigure();

/// A design, with its results.
struct StudyRow
{
    std::vector<std::string> labels;    //!< in summary.csv, and in names of files
    std::string title;                  //!< in charts
    std::string what;                   //!< description
    std::vector<StudyResult> results{}; //!< of the replications
    bool isPrecise{false};              //!< whether SequentialStopping ended its replications
    /// Size in bytes and slowdown of each flow of all replications; infinite if it is incomplete.
    std::vector<std::pair<float, float>> slowdowns{};
};

/// The table and summary.csv of a program.
struct StudyLayout
{
    std::vector<std::string> labels;  //!< columns of the labels in summary.csv
    std::string columns;              //!< figures in summary.csv, in its order; the engine follows
    std::vector<std::string> header;  //!< first columns of the table
    std::vector<StudyFigure> figures; //!< in the order of the table
    /// @return cells of the first columns of the table
    std::function<std::vector<std::string>(const StudyRow&)> cells;
};

/**
 * Designs x replications, all with the same flows in each replication. It is no Experiment: a
 * design is no policy that decides on a problem, a run writes files and charts while it goes on,
 * which binds it to this process, and summary.csv has a row for each class of flows.
 */
class FlowStudy
{
  public:
    /// Edges of the classes of flows by size, in bytes.
    static constexpr const char* CLASS_EDGES = "100000,1000000";
    /// Their names.
    inline static const std::vector<std::string> CLASSES{"below 100 kB",
                                                         "100 kB to 1 MB",
                                                         "1 MB and more",
                                                         "all"};

    /// @param options of the program
    explicit FlowStudy(StudyOptions& options);
    virtual ~FlowStudy();

    /**
     * Measure all designs. After a signal, what was finished is in the folder "interrupted".
     *
     * Without a number of replications, each design has as many as SequentialStopping says of its
     * percentiles; the i-th replication has the same flows in
     * each. None starts after the time of the options, except the first of each design.
     * @param runs number of replications; 0 for as many as the intervals need
     * @param layout of summary.csv
     */
    void Run(uint32_t runs, const StudyLayout& layout);

    /**
     * Print and write the results.
     * @param layout of the table and summary.csv
     * @param setting of all runs
     * @param legend of the table
     * @param notes printed after the designs
     */
    void Report(const StudyLayout& layout,
                const std::string& setting,
                const std::string& legend,
                const std::string& notes = "");

    /// @return the designs
    const std::vector<StudyRow>& GetRows() const
    {
        return m_rows;
    }

  protected:
    /// Draw the flows.
    /// @param replication number from 0
    virtual void SetReplication(uint32_t replication) = 0;

    /// @param row index of a design
    /// @param file of all flows to write, or ""
    /// @return its results
    virtual StudyResult Measure(std::size_t row, const std::string& file) = 0;

    /**
     * Send flows over a network, in ns-3.
     * @param title of the design
     * @param network the network, whose circuits have not started
     * @param run the flows
     * @param start starts what sets up circuits that are not the design's, which is kept until the
     * run is over; empty for the design's
     * @return its results
     */
    StudyResult Simulate(const std::string& title,
                         const ns3::Ptr<ns3::odcn::FabricNetwork>& network,
                         const StudyFlows& run,
                         const std::function<ns3::Ptr<ns3::Object>()>& start = {});

    /**
     * The flows of a run have been sent: summarise them, and write their file, if any.
     * @param title of the design
     * @param recorder of the flows
     * @param run the flows
     * @param [out] result gets the summary
     */
    void TakeFlows(const std::string& title,
                   const ns3::odcn::FlowRecorder& recorder,
                   const StudyFlows& run,
                   StudyResult& result);

    /**
     * Keep what to say of the flows of a run that are not complete.
     * @param title of the design
     * @param recorder of the flows
     * @param run the flows; of the first run only
     * @param counts of the network
     */
    void NoteIncomplete(const std::string& title,
                        const ns3::odcn::FlowRecorder& recorder,
                        const StudyFlows& run,
                        const ns3::odcn::PacketCounts& counts);

    /// @return recorder with the size classes of the table
    static ns3::Ptr<ns3::odcn::FlowRecorder> MakeRecorder();

    std::vector<StudyRow> m_rows;            //!< the designs
    bool m_hasOptical{false};                //!< whether one of them is optical
    int64_t m_stream{0};                     //!< first stream of the replication
    ns3::odcn::FabricMeter::Charts m_charts; //!< of the first run
    bool m_ignoresFaults{false};             //!< whether a run is without the faults of the options

    /// @return whether parts fail in the next run
    bool HasFaults() const
    {
        return m_options.faults.IsUsed() && !m_ignoresFaults;
    }

    /**
     * Sample and read the faults of a run, and write their file, if it is in the results.
     * @param title of the design
     * @param isElectrical whether it is electrical, and has fewer kinds of parts
     * @param sizes gives the parts of a kind, none for kinds that there are not
     * @param run the flows
     * @return the faults
     */
    ns3::odcn::FaultPlan MakeFaults(
        const std::string& title,
        bool isElectrical,
        const std::function<ns3::odcn::FaultSizes(ns3::odcn::FaultPart)>& sizes,
        const StudyFlows& run);

  private:
    /// @return whether all compared figures of a design are known well enough
    bool IsPrecise(const StudyRow& row, const StudyLayout& layout) const;

    /// @return which designs have ended why, after replications without a number; "" with one
    std::string DescribeEnd(const StudyLayout& layout) const;

    /// Flows of the first run of a design, with faults and without.
    struct FaultHits
    {
        std::string title;         //!< of the design
        std::size_t flows;         //!< number
        std::size_t open;          //!< not complete with faults alone
        std::size_t sooner;        //!< complete sooner with faults
        std::vector<double> later; //!< by how much others are later, s, in order
    };

    /// Draw the slowdown of flows by their size.
    void AddSlowdowns();

    /// Mark faults in the charts over time.
    /// @param title of the design
    /// @param plan its faults
    void MarkFaults(const std::string& title, const ns3::odcn::FaultPlan& plan);

    /// After the first run of a design with faults, run it without them. @param index of the design
    void CompareWithoutFaults(std::size_t index);

    /// Print the table of the flows that faults hit, and add it to the report.
    void ReportHits();

    /// @param title of the design
    /// @param network the network
    /// @param run the flows
    /// @return what lets its parts fail; null without faults
    ns3::Ptr<ns3::odcn::FaultInjector> StartFaults(
        const std::string& title,
        const ns3::Ptr<ns3::odcn::FabricNetwork>& network,
        const StudyFlows& run);

    /// @param labels words
    /// @param between text between them
    /// @return all in one
    static std::string Join(const std::vector<std::string>& labels, const std::string& between);

    /// Write summary.csv.
    /// @param path file
    /// @param layout its columns
    void WriteSummary(const std::string& path, const StudyLayout& layout) const;

    StudyOptions& m_options;                       //!< of the program
    std::optional<ns3::odcn::OutputFiles> m_files; //!< output folder, after Run()
    ns3::odcn::ReportChart* m_completion;          //!< distributions of completion times
    ns3::odcn::ReportChart* m_slowdown;            //!< slowdown by size
    bool m_isSequential{false};                    //!< whether Run() had no number of replications
    bool m_isTimeUp{false};                        //!< whether the time ended the replications
    std::map<std::string, std::string> m_lacking;  //!< parts with faults, by title of the design
    std::vector<std::string> m_incomplete;         //!< see NoteIncomplete()
    std::vector<ns3::Time> m_times; //!< of flows of the last run, if there are faults
    std::vector<FaultHits> m_hits;  //!< by design
};

#endif /* FLOW_STUDY_H */
