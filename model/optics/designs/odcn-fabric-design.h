// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_DESIGN_H
#define ODCN_FABRIC_DESIGN_H

#include "odcn-circuit-controller.h"
#include "odcn-fabric-size.h"

#include "ns3/ocs-fabric.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fabric-engine.h"
#include "ns3/odcn-schedule-packets.h"
#include "ns3/ptr.h"
#include "ns3/tor-forwarding.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// What FabricDesign::GetBound() is told beside the demand.
struct FabricBoundScope
{
    double unit{1};           //!< of the demand: that many links
    uint32_t mostRacks{32};   //!< with more, the bound by cuts instead of linear programs
    bool withExpedited{true}; //!< whether the hops of short flows count, if they take more
    double shortShare{-1};    //!< of short flows in all bytes, for hybrid designs; negative if
                              //!< unknown
    bool mustSolve{false};    //!< whether a build without GLPK throws OdcnError instead of bounding
                              //!< by cuts
};

/**
 * @ingroup odcn
 *
 * A design of a fabric in one line of text, which every engine reads: CIRCUITS;ROUTING.
 * - CIRCUITS is a CircuitSchedule or a CircuitController, with Attributes; "electrical" for none;
 * - ROUTING is a TorRouting with Attributes; of an electrical network ideal, clos (over-subscribed
 *   3:1) or fat-tree, with Attributes of PacketSwitch, such as fat-tree[Spreading=RoundRobin].
 *
 * More words may follow, after a semicolon each: "hold" if flows that wait do so in their hosts,
 * "more" for one more uplink, "hybrid" if one of the uplinks is electrical, for short flows,
 * "named" if programs take it by its name only, not by "all". In braces stand products of numbers
 * and of racks, servers, uplinks, gbps, slot and dark (in us) of the size, "torus" for sides of a
 * torus of so many racks, or the name of a file of odcn's data.
 *
 * A torus, or a pod of cubes, has as many uplinks as directions, whatever the size says.
 *
 * @code
 *   const FabricDesign opera = FabricDesign::Find("opera", {.racks = 16});
 *   const FabricDesign mine = FabricDesign::Parse("RotorSchedule[Slot={slot}us];ValiantRouting");
 * @endcode
 *
 * Errors of what a design says name the design and where its text stands.
 */
class FabricDesign
{
  public:
    /**
     * @param text see above
     * @param size its size
     * @param name in results and errors
     * @param where the text stands, for errors
     * @return the design
     * @throws OdcnError when the text or the size is malformed; whether there are such types and
     * Attributes is found when they are needed, or by Check()
     */
    static FabricDesign Parse(const std::string& text,
                              const FabricSize& size = {},
                              const std::string& name = "own",
                              const std::string& where = "");

    /**
     * @param name of a design of GetAll()
     * @param size its size
     * @param where the name was given, for errors
     * @param expected before the known names, in errors
     * @return the design
     * @throws OdcnError when there is none of that name
     */
    static FabricDesign Find(const std::string& name,
                             const FabricSize& size = {},
                             const std::string& where = "design",
                             const std::string& expected = "");

    /**
     * @param size their size
     * @return the designs of data/fabric-designs.txt, but for agents where there are none, and the
     * registered ones
     * @throws OdcnError when one is malformed
     */
    static std::vector<FabricDesign> GetAll(const FabricSize& size = {});

    /**
     * Choose designs by a program's options designs and own.
     * @param names all, none, or some of GetAll() separated by commas
     * @param own texts of more designs separated by commas, each behind NAME= if it has a name
     * @param size their size
     * @param withHold whether flows may wait in their hosts; otherwise such designs are left out
     * @return the designs
     * @throws OdcnError when there are none, or one does not exist
     */
    static std::vector<FabricDesign> Choose(const std::string& names,
                                            const std::string& own,
                                            const FabricSize& size,
                                            bool withHold = true);

    /**
     * Make a design known by its name, see ODCN_REGISTER_DESIGN.
     * @param name its name
     * @param text see above
     * @param description of it
     * @return true
     */
    static bool Register(const std::string& name,
                         const std::string& text,
                         const std::string& description);

    /**
     * @param routing a TorRouting with Attributes
     * @param size its size
     * @param name in results and errors
     * @param where the routing stands, for errors
     * @return a design whose circuits a program sets itself
     */
    static FabricDesign MakeGranted(const std::string& routing,
                                    const FabricSize& size,
                                    const std::string& name,
                                    const std::string& where);

    /// @return its name
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return description; circuits and routing if it has none
    std::string GetDescription() const;

    /// @param description of it
    void SetDescription(const std::string& description)
    {
        m_description = description;
    }

    /// @return racks, links and times
    const FabricSize& GetSize() const
    {
        return m_size;
    }

    /// @return its TorRouting, or the kind of an electrical network
    const std::string& GetRouting() const
    {
        return m_routing;
    }

    /// @return Attributes of the switches of an electrical network
    const std::map<std::string, std::string>& GetSwitchAttributes() const
    {
        return m_switch;
    }

    /// @return whether it has no optical switch
    bool IsElectrical() const
    {
        return m_kind == ELECTRICAL;
    }

    /// @return whether circuits follow a schedule
    bool IsScheduled() const
    {
        return m_kind == SCHEDULE;
    }

    /// @return whether a CircuitController sets circuits
    bool IsController() const
    {
        return m_kind == CONTROLLER;
    }

    /// @return whether flows that wait for a circuit do so in their hosts
    bool Holds() const
    {
        return m_words.hold;
    }

    /// @return whether one of the uplinks is electrical, for short flows
    bool IsHybrid() const
    {
        return m_words.hybrid;
    }

    /// Leave out the one more uplink. @return whether it had one
    bool RemoveMore()
    {
        return std::exchange(m_words.more, false);
    }

    /// @return optical uplinks of a rack
    uint32_t GetUplinks() const;

    /// @return rate of the links of a rack to the network, whether optical or electrical, in links
    double GetLinks() const;

    /// @return spine switches of the network clos, each with a link to each rack; the links of a
    /// rack have a third of the rate of its servers together
    uint32_t GetSpines() const;

    /// @return size of the optical fabric, with one optical switch an uplink
    OcsFabricSize GetFabricSize() const;

    /// @return how its ToR switches forward packets; OTHER if electrical
    /// @throws OdcnError when there is no such routing
    TorForwarding GetForwarding() const;

    /**
     * @param engine an engine
     * @return "" if it can carry the traffic of the design, or why not
     * @throws OdcnError when there is no such routing
     */
    std::string WhyNot(FabricEngine engine) const;

    /**
     * @param demand for schedules that depend on it
     * @param stream of random numbers
     * @return its schedule, built
     * @throws OdcnError when it has none, or there is none for its size
     */
    Ptr<CircuitSchedule> MakeSchedule(const DemandMatrix& demand, int64_t stream) const;

    /**
     * @param stream of random numbers
     * @return its controller, for FabricNetwork
     * @throws OdcnError when it has none
     */
    Ptr<CircuitController> MakeController(int64_t stream) const;

    /**
     * @param stream of random numbers
     * @return makes its controller, for SchedulePackets
     * @throws OdcnError when it has none that the exact engine runs
     */
    SchedulePackets::MakeLogic GetMakeLogic(int64_t stream) const;

    /**
     * @param demand for schedules that depend on it
     * @param stream of random numbers
     * @throws OdcnError unless its circuits and routing exist for its size
     */
    void Check(const DemandMatrix& demand, int64_t stream) const;

    /// @throws OdcnError when its circuits follow training jobs, by a PhaseController: other
    /// traffic has none
    void RefusePhases() const;

    /**
     * @param demand between racks
     * @param scope see there
     * @param schedule as of MakeSchedule(); null for that of the demand with stream 0
     * @return upper bound of the theta for which theta x demand can be carried; circuits that a
     * controller sets are taken as never dark
     */
    double GetBound(const DemandMatrix& demand,
                    const FabricBoundScope& scope = {},
                    Ptr<CircuitSchedule> schedule = nullptr) const;

    /// @return FlowApplication::ReorderTime of FabricDesignHelper::MakeHosts(): two of the longest
    /// periods of schedules
    Time GetReorderTime() const;

    /// @return FlowApplication::RepairTimeout of FabricDesignHelper::MakeHosts(), twice as long
    Time GetRepairTimeout() const;

    /**
     * @param shortFlows flows of fewer bytes are expedited
     * @return settings of SchedulePackets for its routing and for the defaults of FlowApplication,
     * with the times above
     */
    SchedulePackets::Settings MakeSettings(uint64_t shortFlows) const;

    /**
     * @param create what the design says
     * @return what it returns; its errors name the design and where it stands
     */
    template <typename F>
    auto Explain(const F& create) const
    {
        const std::string place = GetPlace();
        try
        {
            return create();
        }
        catch (const OdcnError& error)
        {
            const std::string text = error.what();
            throw text.starts_with(place) ? error : OdcnError(place + text);
        }
    }

  private:
    /// What sets its circuits.
    enum Kind : uint8_t
    {
        SCHEDULE,   //!< a CircuitSchedule
        CONTROLLER, //!< a CircuitController
        ELECTRICAL, //!< nothing, it has none
        GRANTED     //!< the program
    };

    /// What the words after circuits and routing say.
    struct Words
    {
        bool hold{false};   //!< see Holds()
        bool more{false};   //!< see RemoveMore()
        bool hybrid{false}; //!< see IsHybrid()
        bool named{false};  //!< whether "all" does not mean it
    };

    FabricDesign() = default;

    /// @return where it stands and its name, for errors: "--own: design fast: "
    std::string GetPlace() const;

    /// Read the words after circuits and routing. @param words the words
    void ReadWords(const std::vector<std::string>& words);

    /// Find the kind of its circuits.
    void FindKind();

    Kind m_kind{SCHEDULE};     //!< what sets its circuits
    std::string m_name;        //!< in results and errors
    std::string m_circuits;    //!< schedule or controller with Attributes
    std::string m_routing;     //!< routing with Attributes, or electrical network
    std::string m_description; //!< "" for none
    std::string m_where;       //!< where its text stands; "" for none
    FabricSize m_size;         //!< racks, links and times
    Words m_words;             //!< after circuits and routing
    uint32_t m_directions{0};  //!< of a torus or a pod; 0 for others
    bool m_isPhased{false};    //!< whether its controller is a PhaseController
    bool m_isHosted{false};    //!< whether its controller is a HostedController

    /// Attributes of electrical switches.
    std::map<std::string, std::string> m_switch;
};

} // namespace ns3::odcn

/**
 * @ingroup odcn
 *
 * Make a design known by its name, for FabricDesign::Find() and options of programs.
 * @param id part of a C++ name
 * @param name its name
 * @param text circuits and routing
 * @param description of it
 */
#define ODCN_REGISTER_DESIGN(id, name, text, description)                                          \
    [[maybe_unused]] static const bool g_registeredDesign##id =                                    \
        ::ns3::odcn::FabricDesign::Register(name, text, description);

#endif /* ODCN_FABRIC_DESIGN_H */
