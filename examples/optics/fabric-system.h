// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef FABRIC_SYSTEM_H
#define FABRIC_SYSTEM_H

/**
 * @file
 * The racks, links and designs of optical-fabrics, collectives, fabric-jobs and show-topology.
 */

#include "ns3/ocs-helper.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/odcn-schedule-packets.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

/**
 * @param value a number
 * @param unit its unit
 * @return text for an Attribute
 */
std::string Text(double value, const std::string& unit);

/// Stop at a signal, also within a long run. To be called before Simulator::Run().
void CheckSignals();

/// A design of a network, as of a line of data/fabric-designs.txt.
struct FabricDesign
{
    std::string name;     //!< for options and results
    std::string circuits; //!< a CircuitSchedule or a MatchingController; empty if electrical
    std::string routing;  //!< a TorRouting, or the electrical network
    std::string what;     //!< description
    bool hold{false};     //!< whether flows that wait do so in their hosts
    bool more{false};     //!< whether it has one more uplink
    bool hybrid{false};   //!< whether one of the uplinks is electrical, for short flows
    std::string where{};  //!< where its text stands, for errors; "" for none

    /// @return whether circuits follow the measured demand
    bool IsController() const
    {
        return circuits.find("MatchingController") < circuits.find('[');
    }

    /// @return how its ToR switches forward packets; OTHER if electrical
    ns3::odcn::TorForwarding GetForwarding() const;

    /// @return "" if SchedulePackets can carry its packets, or why not
    std::string WhyNotExact() const;

    /// @return "" if the flow level can carry its messages, or why not
    std::string WhyNotFluid() const;

    /**
     * @param shortFlows bytes
     * @return settings of SchedulePackets for its routing and for the defaults of FlowApplication
     */
    ns3::odcn::SchedulePackets::Settings MakeSettings(uint64_t shortFlows) const;
};

/// A network with its servers.
struct FabricNetwork
{
    ns3::Ptr<ns3::odcn::OcsFabric> optical{};        //!< null if electrical
    ns3::Ptr<ns3::odcn::PacketNetwork> electrical{}; //!< null if optical
    bool hold{false};                                //!< whether flows wait in their hosts
    /// Starts what sets up its circuits, which is kept until the run is over.
    std::function<ns3::Ptr<ns3::Object>()> start{};
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

    /**
     * Add the options.
     * @param cmd command line
     * @param withFaults whether those of faults, too
     */
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd, bool withFaults = true);

    /// Check the options. @throws OdcnError when a slot has no time left for packets, or the faults
    /// are malformed
    void Check();

    /// @return racks, servers, uplinks, rate and slots
    std::string Describe() const;

    /**
     * @param name its name
     * @param text as in data/fabric-designs.txt
     * @param what description
     * @param where the text stands, for errors
     * @return the design
     * @throws OdcnError when the text is malformed
     */
    FabricDesign MakeDesign(const std::string& name,
                            const std::string& text,
                            const std::string& what,
                            const std::string& where) const;

    /// @return the designs of data/fabric-designs.txt
    std::vector<FabricDesign> GetDesigns() const;

    /**
     * @param name of one of GetDesigns()
     * @param option in which it was given
     * @param expected before the names, in the message
     * @return the design
     * @throws OdcnError when there is none of that name
     */
    FabricDesign FindDesign(const std::string& name,
                            const std::string& option,
                            const std::string& expected) const;

    /**
     * Choose designs by the options designs and own.
     * @param names all, none, or some of GetDesigns() separated by commas
     * @param own texts of more designs separated by commas, each with its name before "=", or ""
     * @param withHold whether flows may wait in their hosts; otherwise such designs are left out
     * @return the designs
     * @throws OdcnError when there are none, or one does not exist
     */
    std::vector<FabricDesign> ChooseDesigns(const std::string& names,
                                            const std::string& own,
                                            bool withHold = true) const;

    /**
     * Check that each of several runs has a file of its own.
     * @param option name of the option with the file
     * @param file its value, or "" for none
     * @param runs number of runs that have one
     * @param what % stands for
     * @throws OdcnError when there are several runs and no % in the name
     */
    static void CheckFile(const std::string& option,
                          const std::string& file,
                          std::size_t runs,
                          const std::string& what);

    /**
     * @param name part of the name of a file
     * @param [in,out] used such names; gets the new one
     * @return the name, with a number if it is used
     */
    static std::string MakeUnique(const std::string& name, std::set<std::string>& used);

    /**
     * Set up the circuits of an optical design by its schedule or its controller.
     * @param design the design
     * @param fabric its fabric; null to check only that the design exists for these sizes
     * @param demand for schedules that depend on it
     * @param stream of random numbers
     * @return what sets them up, to be kept during the run
     */
    ns3::Ptr<ns3::Object> StartCircuits(const FabricDesign& design,
                                        const ns3::Ptr<ns3::odcn::OcsFabric>& fabric,
                                        const ns3::odcn::DemandMatrix& demand,
                                        int64_t stream) const;

    /// @param design a design  @return optical uplinks of a rack
    uint32_t GetUplinks(const FabricDesign& design) const;

    /// @param design a design
    /// @return rate of the links of a rack to the network, whether optical or electrical, in links
    /// of the option gbps
    double GetLinks(const FabricDesign& design) const;

    /**
     * @param capacity of circuits
     * @param demand traffic in the same unit
     * @param hops most circuits of a packet
     * @param most racks for which linear programs are solved; for more there is the bound by cuts
     * @return upper bound of the theta for which theta x demand can be carried
     */
    static double FindThroughput(const ns3::odcn::DemandMatrix& capacity,
                                 const ns3::odcn::DemandMatrix& demand,
                                 uint32_t hops,
                                 uint32_t most);

    /// @param design a design
    /// @return size of its fabric, with one optical switch an uplink
    ns3::odcn::OcsFabricSize GetSize(const FabricDesign& design) const;

    /**
     * @param design with a schedule
     * @param demand for schedules that depend on it
     * @param stream of random numbers
     * @return its schedule
     */
    ns3::Ptr<ns3::odcn::CircuitSchedule> MakeSchedule(const FabricDesign& design,
                                                      const ns3::odcn::DemandMatrix& demand,
                                                      int64_t stream) const;

    /**
     * @param routing a TorRouting with Attributes
     * @param queueDisc of switches, or ""
     * @return helper for optical fabrics that hold
     */
    ns3::odcn::OcsHelper MakeHelper(const std::string& routing,
                                    const std::string& queueDisc = "") const;

    /**
     * @param design a design
     * @param queueDisc of switches, or ""
     * @param switches number of optical switches; 0 for one an uplink
     * @return its network without circuits
     */
    FabricNetwork Build(const FabricDesign& design,
                        const std::string& queueDisc = "",
                        uint32_t switches = 0) const;

  private:
    /// @return spine switches of the network clos, each with a link to each rack; the links of a
    /// rack have a third of the rate of its servers together
    uint32_t GetClos() const;

    /// @param name ideal, clos (over-subscribed 3:1) or fat-tree
    /// @param queueDisc of switches
    /// @return the network with its servers
    ns3::Ptr<ns3::odcn::PacketNetwork> BuildElectrical(const std::string& name,
                                                       const std::string& queueDisc) const;

    /// @param text with products in braces
    /// @return it with their values
    std::string Fill(std::string text) const;
};

#endif /* FABRIC_SYSTEM_H */
