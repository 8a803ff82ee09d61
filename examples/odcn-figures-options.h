// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIGURES_OPTIONS_H
#define ODCN_FIGURES_OPTIONS_H

/**
 * @file
 * Command line of odcn-figures.
 */

#include "ns3/odcn-run-report.h"

#include <cstdint>
#include <string>
#include <vector>

/// Options with their defaults. 0 and "" select the default of the figure.
struct FigureOptions
{
    uint32_t figure{0};                //!< figure, 3 to 7
    uint32_t table{0};                 //!< table, 2 to 4
    bool front{false};                 //!< whether to compare blocking and latency instead
    bool quick{false};                 //!< whether to run a short test
    std::string output;                //!< output folder
    std::string page;                  //!< Markdown page to fill
    std::string paper;                 //!< file of the paper's numbers
    uint32_t tors{0};                  //!< racks
    uint32_t servers{0};               //!< servers per rack
    std::string loads;                 //!< comma-separated loads
    std::string placement{"Balanced"}; //!< in-rack strategy
    std::string policies{"random,first-fit,untrained,all2all-ccf,odcn-ccf,odcn-jcb,odcn-packing,"
                         "odcn-score"}; //!< rules
    std::string agents;                 //!< comma-separated name:checkpoint
    uint32_t replications{0};           //!< replications at job level
    uint64_t jobs{0};                   //!< measured jobs per replication
    uint64_t warmUp{0};                 //!< jobs before the measured ones
    uint64_t firstRun{101};             //!< run number of the first replication
    std::string packets{"exact"};       //!< packet engine
    uint32_t packetReplications{0};     //!< replications at packet level
    uint32_t windows{0};                //!< measurement windows per replication
    std::string phis;                   //!< reconfiguration costs
    std::string charge{"OnceAJob"};     //!< how reconfigurations are charged
    std::string trained;                //!< agents trained for Figs. 3 and 4
    std::string alpha;                  //!< weight of latency in Figs. 3 and 4
    uint32_t trainings{0};              //!< runs per training
    uint64_t trainJobs{0};              //!< jobs per training
    std::string command;                //!< arguments of the command line
    std::string attributes;             //!< arguments that set Attributes

    /// @param argc number of arguments  @param argv arguments  @param report gets its options
    /// @throws OdcnError for a bad value
    void Parse(int argc, char* argv[], ns3::odcn::RunReport& report);

    /// @return for example "fig5" or "table2"
    std::string GetName() const;

    /// @return for example "Fig. 5" or "Table 2"
    std::string GetTitle() const;
};

#endif /* ODCN_FIGURES_OPTIONS_H */
