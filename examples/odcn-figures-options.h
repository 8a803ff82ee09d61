// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIGURES_OPTIONS_H
#define ODCN_FIGURES_OPTIONS_H

/**
 * @file
 * The command line of odcn-figures.
 */

#include <cstdint>
#include <string>
#include <vector>

/// Options of the command line, with their defaults. 0 and "" stand for those of the figure.
struct FigureOptions
{
    uint32_t figure{0};                //!< 3 to 7
    uint32_t table{0};                 //!< 2 to 4
    bool front{false};                 //!< instead: blocking against latency
    bool quick{false};                 //!< little of everything
    std::string output;                //!< folder of results
    std::string page;                  //!< page in Markdown
    std::string paper;                 //!< the paper's numbers
    uint32_t tors{0};                  //!< racks
    uint32_t servers{0};               //!< servers of a rack
    std::string loads;                 //!< list
    std::string placement{"Balanced"}; //!< in-rack strategy
    std::string policies{"all2all-ccf,odcn-ccf,odcn-jcb,odcn-packing,odcn-score"}; //!< rules
    std::string agents;             //!< list of name:checkpoint
    uint32_t replications{0};       //!< at job level
    uint64_t jobs{0};               //!< counted jobs of one
    uint64_t warmUp{0};             //!< jobs before
    uint64_t firstRun{101};         //!< run number of the first
    std::string packets{"exact"};   //!< who runs packets
    uint32_t packetReplications{0}; //!< in packets
    uint32_t windows{0};            //!< of one of these
    std::string phis;               //!< costs of a reconfiguration
    std::string charge{"OnceAJob"}; //!< how they are charged
    std::string recipes;            //!< how agents of Figs. 3 and 4 learn
    std::string alpha;              //!< their weight of latency
    uint32_t trainings{0};          //!< runs of a training
    uint64_t trainJobs{0};          //!< jobs of one
    std::string command;            //!< the words of the command line
    std::string attributes;         //!< those that set Attributes

    /// @param argc number of words  @param argv the words  @throws OdcnError for a bad value
    void Parse(int argc, char* argv[]);

    /// @return "fig5" or "table2", say
    std::string GetName() const;

    /// @return "Fig. 5" or "Table 2", say
    std::string GetTitle() const;
};

#endif /* ODCN_FIGURES_OPTIONS_H */
