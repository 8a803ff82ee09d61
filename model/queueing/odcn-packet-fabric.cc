// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-fabric.h"

#include "odcn-fabric-blocks.h"
#include "odcn-fabric-events.h"
#include "odcn-fabric-state.h"

#include "ns3/odcn-error.h"

#include <string>

namespace ns3
{
namespace odcn
{

namespace
{

/// @param model checked here  @return it
const OdcnFabricModel&
Checked(const OdcnFabricModel& model)
{
    model.Check();
    return model;
}

/// @param action checked here  @param model of the fabric
void
CheckAction(const OdcnFabricAction& action, const OdcnFabricModel& model)
{
    using Kind = OdcnFabricActionKind;
    if (action.kind == Kind::APPLY)
    {
        return; // checked when it happens
    }
    const bool server = action.kind >= Kind::FAIL_SERVER && action.kind <= Kind::REPAIR_DOWNLINK;
    if (action.rack >= model.racks ||
        action.port >= (server ? model.serversPerRack : model.uplinks))
    {
        throw OdcnError::InOption(server ? "action on a server" : "action on an uplink",
                                  "rack " + std::to_string(action.rack) + ", " +
                                      std::to_string(action.port),
                                  "one of the fabric");
    }
}

} // namespace

OdcnPacketFabric::OdcnPacketFabric(const OdcnFabricModel& model)
    : m_state(std::make_unique<OdcnFabricState>(Checked(model)))
{
}

OdcnPacketFabric::~OdcnPacketFabric() = default;

const OdcnFabricModel&
OdcnPacketFabric::GetModel() const
{
    return m_state->model;
}

int64_t
OdcnPacketFabric::AssignStreams(int64_t stream, int64_t perServer)
{
    const auto racks = static_cast<int64_t>(m_state->racks.size());
    for (int64_t rack = 0; rack < racks; ++rack)
    {
        m_state->racks[rack].random = OdcnRandomStream(stream + rack);
    }
    m_state->flowStream = stream + racks;
    m_state->flowStreams = perServer;
    return racks + perServer * static_cast<int64_t>(m_state->servers.size());
}

void
OdcnPacketFabric::Preset(const std::vector<OdcnCircuitChange>& circuits)
{
    m_state->Preset(circuits);
}

void
OdcnPacketFabric::SetLaw(ServerId server, const OdcnServerLaw& law)
{
    if (server >= m_state->servers.size() || !m_state->servers[server].streams.empty())
    {
        throw OdcnError::InOption("server with a law",
                                  std::to_string(server),
                                  "one of the fabric that has sent nothing yet");
    }
    if (law.least == 0 || law.greatest < law.least || law.greatest > UINT16_MAX)
    {
        throw OdcnError::InOption("packet sizes of a law",
                                  std::to_string(law.least) + " to " + std::to_string(law.greatest),
                                  "1 to 65535 bytes, ascending");
    }
    m_state->servers[server].law = law;
}

void
OdcnPacketFabric::SetThreads(uint32_t threads)
{
    m_threads = threads;
}

void
OdcnPacketFabric::SetEventByEvent(bool always)
{
    m_eventByEvent = always;
}

int64_t
OdcnPacketFabric::Run(int64_t opened,
                      int64_t until,
                      const std::vector<OdcnPacketFlow>& flows,
                      const std::vector<OdcnFabricAction>& actions,
                      OdcnPacketSink& sink)
{
    if (opened < 0 || until < opened)
    {
        throw OdcnError::InOption("packets from and until",
                                  std::to_string(opened) + ", " + std::to_string(until) + " ps",
                                  "0 or more, ascending");
    }
    for (const auto& action : actions)
    {
        CheckAction(action, m_state->model);
    }
    m_state->CheckFlows(flows);
    if (!m_eventByEvent && actions.empty() && OdcnFabricBlocks::CanRun(*m_state, flows, opened))
    {
        if (!m_blocks)
        {
            m_blocks = std::make_unique<OdcnFabricBlocks>(*m_state);
        }
        return m_blocks->Run(opened, until, flows, m_threads, sink);
    }
    return OdcnFabricEvents(*m_state, sink).Run(opened, until, flows, actions);
}

} // namespace odcn
} // namespace ns3
