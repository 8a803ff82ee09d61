// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ENGINE_SCENARIO_H
#define ODCN_ENGINE_SCENARIO_H

/**
 * @file
 * A scenario that runs in ns-3, with devices and sockets, and in PacketFabric.
 */

#include "odcn-packet-fates.h"

#include "ns3/enum.h"
#include "ns3/ipv4-header.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-packet-header.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/udp-header.h"

namespace ns3::odcn
{

/// A flow of a scenario.
struct ScenarioFlow
{
    ServerId from; //!< sender
    ServerId to;   //!< receiver
    BitRate rate;  //!< bit/s
};

/// An interval during which flows send.
struct ScenarioWindow
{
    int64_t opened;                  //!< ps
    int64_t until;                   //!< ps
    std::vector<ScenarioFlow> flows; //!< flows; may be empty
};

/// A fabric and its windows.
struct Scenario
{
    FabricModel model;                     //!< the fabric
    std::vector<uint32_t> bytes;           //!< packet size of each server
    std::vector<PacketLaw> laws;           //!< of each server
    std::string trace;                     //!< name of the file of all laws' traces
    std::vector<OdcnCircuitChange> preset; //!< circuits at the beginning
    std::vector<ScenarioWindow> windows;   //!< consecutive windows
};

/// First random stream of a scenario.
constexpr int64_t SCENARIO_STREAM = 500;
/// UDP port of all servers.
constexpr uint16_t SCENARIO_PORT = 48710;

/// @param scenario any  @param w index of its window  @return its flows for the engine
inline std::vector<PacketFlow>
EngineFlows(const Scenario& scenario, std::size_t w)
{
    const uint32_t perRack = scenario.model.serversPerRack;
    const auto plan = OcsAddressPlan::For(scenario.model.racks, perRack);
    std::vector<PacketFlow> flows;
    for (const ScenarioFlow& flow : scenario.windows[w].flows)
    {
        const uint32_t bytes = scenario.bytes[flow.from];
        flows.push_back({flow.from,
                         flow.to,
                         PacketSource::MeanGap(flow.rate, bytes),
                         bytes,
                         OcsPacketHeader::HashFlow(
                             plan.GetAddress(flow.from / perRack, flow.from % perRack).Get(),
                             plan.GetAddress(flow.to / perRack, flow.to % perRack).Get(),
                             17,
                             uint32_t(SCENARIO_PORT) << 16 | SCENARIO_PORT)});
    }
    return flows;
}

/// @param scenario any  @return outcomes of its windows, by the engine
inline std::vector<PacketFates>
RunEngine(const Scenario& scenario)
{
    PacketFabric fabric(scenario.model);
    fabric.AssignStreams(SCENARIO_STREAM);
    fabric.Preset(scenario.preset);
    for (ServerId s = 0; s < scenario.laws.size(); ++s)
    {
        fabric.SetLaw(s, scenario.laws[s]);
    }
    std::vector<PacketFates> fates(scenario.windows.size(), PacketFates(scenario.model.racks));
    for (std::size_t w = 0; w < fates.size(); ++w)
    {
        const ScenarioWindow& window = scenario.windows[w];
        fabric.Run(window.opened, window.until, EngineFlows(scenario, w), fates[w]);
        fates[w].firstTie = fabric.GetFirstTie();
        fates[w].Sort();
    }
    return fates;
}

/// Runs a scenario in ns-3 and records the outcome of every packet.
class ScenarioNetwork
{
  public:
    /// @param scenario to run
    explicit ScenarioNetwork(const Scenario& scenario)
        : m_scenario(scenario)
    {
        const FabricModel& model = scenario.model;
        OcsHelper helper;
        helper.SetUplinkAttribute("DataRate", DataRateValue(DataRate(model.uplinkRate)));
        helper.SetServerAttribute("DataRate", DataRateValue(DataRate(model.serverRate)));
        helper.SetUplinkQueue("ns3::DropTailQueue",
                              QueueSize(QueueSizeUnit::PACKETS, model.uplinkQueue));
        helper.SetServerQueue("ns3::DropTailQueue",
                              QueueSize(QueueSizeUnit::PACKETS, model.serverQueue));
        helper.SetUplinkFiberAttribute("Delay", TimeValue(TimeStep(model.uplinkDelay)));
        helper.SetServerFiberAttribute("Delay", TimeValue(TimeStep(model.serverDelay)));
        helper.SetSwitchAttribute("ReconfigurationTime", TimeValue(TimeStep(model.darkTime)));
        const TorSwitch::SpreadingMode modes[] = {TorSwitch::PER_PACKET,
                                                  TorSwitch::ROUND_ROBIN,
                                                  TorSwitch::PER_FLOW};
        helper.SetTorAttribute("Spreading",
                               CompatEnumValue<TorSwitch::SpreadingMode>(
                                   modes[static_cast<std::size_t>(model.spreading)]));
        OcsFabricSize size;
        size.racks = model.racks;
        size.serversPerRack = model.serversPerRack;
        size.uplinks = model.uplinks;
        size.switches = model.switches;
        m_fabric = helper.Build(size);
        helper.InstallServers(m_fabric);
        m_fabric->Preset(Circuits(scenario.preset));
        int64_t stream = SCENARIO_STREAM + m_fabric->AssignStreams(SCENARIO_STREAM);
        for (uint32_t s = 0; s < model.GetNServers(); ++s)
        {
            auto app = CreateObject<JobFlowApplication>();
            app->SetAttribute("PacketSize", UintegerValue(scenario.bytes[s]));
            const PacketLaw& law = scenario.laws[s];
            app->SetAttribute("Arrivals", CompatEnumValue<PacketLaw::Arrivals>(law.arrivals));
            if (law.arrivals == PacketLaw::ON_OFF)
            {
                app->SetAttribute("OnTime", TimeValue(TimeStep(law.onTime)));
                app->SetAttribute("OffTime", TimeValue(TimeStep(law.offTime)));
            }
            app->SetAttribute("TraceFile", StringValue(scenario.trace));
            if (law.sizes)
            {
                app->SetAttribute("SizeVariable", PointerValue(law.sizes));
            }
            if (law.bursts)
            {
                app->SetAttribute("BurstVariable", PointerValue(law.bursts));
            }
            m_fabric->GetServers().Get(s)->AddApplication(app);
            stream += app->AssignStreams(stream);
            Listen(app, "Tx", [this](const FlowHeader& header) { Sent(header); });
            Listen(app,
                   "Rx",
                   [this](const FlowHeader& header, Time delay) { Received(header, delay); });
            m_apps.push_back(app);
        }
        Watch();
    }

    /// @return outcomes of the windows
    std::vector<PacketFates> Run()
    {
        std::vector<PacketFates> all;
        for (const ScenarioWindow& window : m_scenario.windows)
        {
            Simulator::Schedule(TimeStep(window.opened) - Simulator::Now(),
                                &ScenarioNetwork::Open,
                                this,
                                &window);
            Simulator::Run();
            all.emplace_back();
            for (const auto& [key, fate] : m_fates)
            {
                all.back().all.push_back(fate);
            }
            m_fates.clear();
        }
        return all;
    }

  private:
    /// @param changes for the engine  @return the same changes for the devices
    static std::vector<OcsCircuit> Circuits(const std::vector<OdcnCircuitChange>& changes)
    {
        std::vector<OcsCircuit> circuits;
        for (const auto& c : changes)
        {
            circuits.push_back({c.from, c.outPort, c.newTo, c.newInPort});
        }
        return circuits;
    }

    /// Connect to all traces of lost packets.
    void Watch()
    {
        const OcsFabricSize& size = m_fabric->GetSize();
        // A packet was truncated, or its receiving port has failed.
        const auto receiving = [this](const Ptr<OcsNetDevice>& device)
        {
            Listen(device,
                   "PhyRxDrop",
                   [this](Ptr<const Packet> packet) { Lost(packet, OcsDropCause::PORT_FAILED); });
        };
        for (RackId rack = 0; rack < size.racks; ++rack)
        {
            Ptr<TorSwitch> tor = m_fabric->GetTor(rack);
            Listen(tor,
                   "Drop",
                   [this](Ptr<const Packet> packet, OcsDropCause cause) { Lost(packet, cause); });
            for (uint32_t p = 0; p < size.uplinks; ++p)
            {
                receiving(tor->GetUplink(p));
            }
            for (uint32_t s = 0; s < size.serversPerRack; ++s)
            {
                receiving(tor->GetDownlink(s));
                Ptr<OcsNetDevice> card = m_fabric->GetServerDevice(rack, s);
                receiving(card);
                const auto refused = [this, device = PeekPointer(card)](Ptr<const Packet> packet) {
                    Lost(packet,
                         device->IsFailed() ? OcsDropCause::PORT_FAILED
                                            : OcsDropCause::QUEUE_OVERFLOW);
                };
                Listen(card, "MacTxDrop", refused);
                Listen(card, "PhyTxDrop", refused);
            }
        }
        for (uint32_t w = 0; w < size.switches; ++w)
        {
            Listen(m_fabric->GetSwitch(w),
                   "Drop",
                   [this](Ptr<const Packet> packet, uint32_t, OcsDropCause cause)
                   { Lost(packet, cause); });
        }
    }

    /// A window opens. @param window to open
    void Open(const ScenarioWindow* window)
    {
        const uint32_t perRack = m_scenario.model.serversPerRack;
        // Before the flows, so that no packet is sent at the very end.
        Simulator::Schedule(TimeStep(window->until - window->opened),
                            &ScenarioNetwork::Close,
                            this);
        for (uint32_t f = 0; f < window->flows.size(); ++f)
        {
            const ScenarioFlow& flow = window->flows[f];
            m_apps[flow.from]->AddFlow(
                f,
                m_fabric->GetServerAddress(flow.to / perRack, flow.to % perRack),
                flow.rate);
        }
    }

    /// Flows end.
    void Close()
    {
        for (const auto& app : m_apps)
        {
            app->ClearFlows();
        }
    }

    /// @param header of a packet  @return its record, created if necessary
    PacketFate& Fate(const FlowHeader& header)
    {
        return m_fates[uint64_t(header.GetFlow()) << 32 | header.GetSequence()];
    }

    /// A packet was sent. @param header of the packet
    void Sent(const FlowHeader& header)
    {
        Fate(header) = {header.GetFlow(),
                        header.GetSequence(),
                        header.GetSent().GetTimeStep(),
                        -1,
                        false,
                        OcsDropCause::MISROUTED};
    }

    /// A packet has arrived. @param header of the packet  @param delay since it was sent
    void Received(const FlowHeader& header, Time delay)
    {
        PacketFate& fate = Fate(header);
        fate.ended = fate.ended < 0 ? (header.GetSent() + delay).GetTimeStep() : -2;
        fate.received = true;
    }

    /// A packet was lost. @param packet with its IPv4 header  @param cause of the loss
    void Lost(Ptr<const Packet> packet, OcsDropCause cause)
    {
        Ptr<Packet> copy = packet->Copy();
        Ipv4Header ip;
        UdpHeader udp;
        FlowHeader header;
        copy->RemoveHeader(ip);
        copy->RemoveHeader(udp);
        copy->RemoveHeader(header);
        PacketFate& fate = Fate(header);
        fate.ended = fate.ended < 0 ? Simulator::Now().GetTimeStep() : -2;
        fate.cause = cause;
    }

    const Scenario& m_scenario;                  //!< scenario that is run
    Ptr<OcsFabric> m_fabric;                     //!< devices
    std::vector<Ptr<JobFlowApplication>> m_apps; //!< by server
    std::map<uint64_t, PacketFate> m_fates;      //!< by flow and sequence number
    SimulationEnd end;                           //!< of the simulation
};

} // namespace ns3::odcn

#endif /* ODCN_ENGINE_SCENARIO_H */
