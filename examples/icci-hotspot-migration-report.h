// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_HOTSPOT_MIGRATION_REPORT_H
#define ICCI_HOTSPOT_MIGRATION_REPORT_H

/**
 * @file
 * What surrounds icci-hotspot-migration: its options, tables and files.
 */

#include "ns3/icci-evaluation.h"
#include "ns3/icci-helper.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-output-files.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

/// Options of the command line, with their defaults.
struct Options
{
    std::string preset{"stated"};                         //!< IcciHelper::SetPreset()
    std::string mesh{ODCN_DATA_DIR "/sf-bay-22-38.json"}; //!< of the centres
    uint32_t days{10};                                    //!< that every policy decides on
    uint32_t moves{1};                                    //!< IcciManager::MaxMoves
    uint32_t packets{1};                                  //!< migrations of a policy in packets
    double packetScale{1e-4};                             //!< share of their bytes that is sent
    bool cut{false};                                      //!< whether a fibre is cut in each
    std::string controlDelay{"0us"};                      //!< of the management network, one way
    bool traces{false};                                   //!< write pcap and FlowMonitor files
    std::string policies;                                 //!< who decides; empty for all
    std::string linear;                                   //!< file of linear and linear-dwa
    std::string checkpoint;                               //!< of deephm and deephm-dwa, or to write
    std::string output{"icci-hotspot-migration-out"};     //!< folder of results
    std::string train;                                    //!< name of a policy: train it
    std::string learner;                                  //!< in words; empty for the policy's
    std::string network;                                  //!< in words; empty for the policy's
    std::string state;                                    //!< IcciMigration::State; likewise
    std::string offer{"Foreseen"};                        //!< IcciMigration::Offer
    double eta{1};                                        //!< IcciMigration::Eta
    uint64_t generations{40};                             //!< of evolution
    uint64_t trainDecisions{400000};                      //!< of any other learner
    uint64_t cloneDecisions{0};                           //!< of greedy, to begin with
    uint32_t actors{16};                                  //!< problems of a training
    double learningRate{3e-4};                            //!< of a training
    uint32_t threads{1};                                  //!< of a training
    bool resume{false};                                   //!< go on with an interrupted training
    std::string command;                                  //!< the command line as typed

    /**
     * Read the command line.
     * @param argc number of words
     * @param argv the words
     * @throws OdcnError for a value out of range
     */
    void Parse(int argc, char* argv[]);

    /**
     * @return the schemes named in policies; trained policies with their files
     * @throws OdcnError when there is none of a name, or a trained policy has no file
     */
    std::vector<ns3::odcn::IcciScheme> GetSchemes() const;

    /// @return what builds the centres
    ns3::odcn::IcciHelper MakeHelper() const;
};

/// The tables at the end of the run.
class Report
{
  public:
    /// @param options of the command line  @param files where to write
    Report(const Options& options, ns3::odcn::OdcnOutputFiles& files);

    /**
     * Note every block, task and migration of a day.
     * @param scheme who decided  @param run number of its streams  @param manager at its end
     */
    void AddDay(const ns3::odcn::IcciScheme& scheme,
                uint64_t run,
                const ns3::odcn::IcciManager& manager);

    /// @param scheme which  @param evaluation what its days came to
    void Add(const ns3::odcn::IcciScheme& scheme, ns3::odcn::IcciEvaluation evaluation);

    /// Write all files.
    void Write();

    /// @param os where to print the table
    void Print(std::ostream& os) const;

  private:
    /// One policy.
    struct Row
    {
        ns3::odcn::IcciScheme scheme;         //!< who decided
        ns3::odcn::IcciEvaluation evaluation; //!< what its days came to
    };

    /// @return the policy that all are compared with: "none", else the first
    const Row& GetBase() const;

    /// Write what all days came to.
    void WriteSummary() const;

    /// Write what each day came to.
    void WriteRuns() const;

    const Options& m_options;              //!< of the command line
    ns3::odcn::OdcnOutputFiles& m_files;   //!< where to write
    std::vector<Row> m_rows;               //!< in the order given
    ns3::odcn::OdcnCsvWriter m_blocks;     //!< of each centre and hour
    ns3::odcn::OdcnCsvWriter m_tasks;      //!< of each day
    ns3::odcn::OdcnCsvWriter m_migrations; //!< of each day
};

#endif /* ICCI_HOTSPOT_MIGRATION_REPORT_H */
