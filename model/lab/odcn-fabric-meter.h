// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_METER_H
#define ODCN_FABRIC_METER_H

#include "odcn-report-chart.h"
#include "odcn-use-over-time.h"

#include "ns3/nstime.h"
#include "ns3/ocs-fabric.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Measures what the circuits and ToR switches of an optical fabric do while it runs. To be created
 * before circuits are set up, and to outlive the run.
 *
 * @code
 *   FabricMeter meter(fabric);
 *   follower->Start(fabric, plan);
 *   Simulator::Run();
 *   meter.Finish();
 *   std::cout << meter.GetDuty();
 * @endcode
 */
class FabricMeter
{
  public:
    /// Most changes of circuits that a chart has of each facet.
    static constexpr std::size_t MOST_CHANGES = 3000;

    /// Charts of what happens over time.
    struct Charts
    {
        ReportChart* circuits; //!< of kind CIRCUITS, or null
        ReportChart*
            use; //!< HEATMAP: share of the time in which a rack's uplinks transmit, or null
        ReportChart* held; //!< HEATMAP: kB held by a rack's switch, or null; times are in ms
    };

    /// @param fabric the fabric
    explicit FabricMeter(const Ptr<OcsFabric>& fabric);

    FabricMeter(const FabricMeter&) = delete;
    FabricMeter& operator=(const FabricMeter&) = delete;

    /**
     * Add what happens to charts, from now on.
     * @param charts the charts, which must stay until Finish()
     * @param facet facet in each of them
     */
    void SetCharts(const Charts& charts, const std::string& facet);

    /// @param until end of the time of all rates, shares and means; 0 for the end of the run
    void SetLimit(Time until);

    /// The run is over.
    void Finish();

    // What was measured, after Finish().

    /// @return circuits changed per second
    double GetReconfigurations() const;

    /// @return share of the time with a circuit in which uplinks have transmitted, all together
    double GetDuty() const;

    /// @return bytes held by a ToR switch, mean over time and switches
    double GetMeanHeld() const;

    /// @return most bytes that any ToR switch held
    uint64_t GetMostHeld() const;

    /// @return packets sent between ToR switches, each counted once on every link
    uint64_t GetSent() const;

    /**
     * Add the circuits of a schedule that runs without a fabric to a chart: the rows that a meter
     * draws of an OcsScheduleFollower without Guard and ClockSkew.
     * @param chart of kind CIRCUITS
     * @param facet facet in it
     * @param plan the schedule
     * @param delay propagation from a ToR switch to an optical switch
     * @param end end of the run
     */
    static void AddCircuits(ReportChart& chart,
                            const std::string& facet,
                            const CircuitSchedule& plan,
                            Time delay,
                            Time end);

  private:
    /// @param time since the begin of the run  @return the part of it that counts, see SetLimit()
    Time Clip(Time time) const
    {
        return m_limit.IsZero() ? time : std::min(time, m_limit);
    }

    /// A rack.
    struct Rack
    {
        FabricMeter* meter;   //!< the meter
        RackId rack;          //!< number
        uint64_t held{0};     //!< bytes held by its ToR switch
        uint64_t most{0};     //!< largest of them
        double sum{0};        //!< bytes x time, ps
        Time since{};         //!< when the bytes changed last
        std::vector<Time> up; //!< when the circuit of each uplink came up; negative without one
    };

    /**
     * Add a change of a circuit to a chart, or note there that it is left out.
     * @param chart of circuits
     * @param facet its facet
     * @param drawn changes of the facet so far, counted on
     * @param time when
     * @param rack rack
     * @param uplink its uplink
     * @param to rack that it reaches from then on, or NO_RACK
     */
    static void AddChange(ReportChart& chart,
                          const std::string& facet,
                          std::size_t& drawn,
                          Time time,
                          RackId rack,
                          uint32_t uplink,
                          RackId to);

    /// Circuits change.
    /// @param ports of one optical switch
    void Change(const std::vector<OcsPortChange>& ports);

    /**
     * The bytes held by a ToR switch have changed.
     * @param rack its rack
     * @param bytes from now on
     */
    static void Held(Rack* rack, uint64_t, uint64_t bytes);

    /**
     * The circuit of an uplink has changed.
     * @param rack its rack
     * @param port the uplink
     * @param to rack that it reaches from now on, or NO_RACK
     */
    static void Circuit(Rack* rack, uint32_t port, RackId to, Time);

    /**
     * An uplink transmits.
     * @param rack its rack
     * @param device the uplink
     * @param packet the packet
     */
    static void Sent(Rack* rack, Ptr<OcsNetDevice> device, Ptr<const Packet> packet);

    Ptr<OcsFabric> m_fabric;   //!< the fabric
    uint32_t m_uplinks;        //!< of a rack
    std::vector<Rack> m_racks; //!< state
    Charts m_charts{};         //!< null without charts
    std::string m_facet;       //!< in the charts
    UseOverTime m_held;        //!< bytes held, by rack
    UseOverTime m_use;         //!< share of uplinks that transmit, by rack
    Time m_limit;              //!< see SetLimit(); 0 for none
    uint64_t m_changes{0};     //!< circuits that changed
    std::size_t m_drawn{0};    //!< changes in the chart, and those left out
    Time m_up;                 //!< with a circuit, all uplinks together
    Time m_used;               //!< transmitting
    Time m_end;                //!< of the run
};

} // namespace ns3::odcn

#endif /* ODCN_FABRIC_METER_H */
