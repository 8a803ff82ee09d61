// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-placement-features.h"

#include <algorithm>

namespace ns3::odcn
{

namespace
{

/// @param a a number  @param b another one, not 0  @return a / b
float
Share(uint32_t a, uint32_t b)
{
    return static_cast<float>(a) / static_cast<float>(b);
}

/// @param units needed  @param each units of a server  @return servers that they fill
uint32_t
Fill(uint32_t units, uint32_t each)
{
    return (units + each - 1) / each;
}

} // namespace

std::vector<std::string>
RddcPlacementFeatures::GetNames()
{
    return {"cpu",           "memory",         "chosen",
            "cpu-left",      "memory-left",    "progress",
            "step",          "complete",       "channels",
            "channels-left", "channels-short", "idle",
            "spoilt",        "near",           "rack-paths",
            "cluster-paths", "rack-fit",       "rack-holds",
            "rack-left",     "cluster-fit",    "cluster-holds",
            "cluster-left",  "rack-idle",      "rack-idle-fit",
            "rack-uplinks",  "rack-load",      "cluster-uplinks",
            "cluster-load",  "split",          "lost",
            "lost-servers"};
}

void
RddcPlacementFeatures::Finish(const RddcManager& manager, Group& group, uint32_t servers) const
{
    const uint32_t cpu = manager.GetNeededCpu();
    const uint32_t memory = manager.GetNeededMemory();
    group.fit = std::min(group.cpu < cpu ? Share(group.cpu, cpu) : 1.0F,
                         group.memory < memory ? Share(group.memory, memory) : 1.0F);
    if (group.fit == 1.0F)
    {
        const RddcServerLedger& ledger = manager.GetServers();
        group.left = 0.5F * (Share(group.cpu - cpu, servers * ledger.GetCpuCapacity()) +
                             Share(group.memory - memory, servers * ledger.GetMemoryCapacity()));
    }
    group.used = Share(group.uplinks - group.free, group.uplinks);
}

void
RddcPlacementFeatures::Begin(const RddcManager& manager)
{
    const RddcServerLedger& servers = manager.GetServers();
    const RddcChannelLedger& channels = manager.GetChannels();
    const RddcNetwork& network = *channels.GetNetwork();
    const RddcSizes& sizes = network.GetSizes();
    m_chosen = static_cast<uint32_t>(manager.GetCurrent().shares.size());
    m_toCome = std::max(Fill(manager.GetNeededCpu(), servers.GetCpuCapacity()),
                        Fill(manager.GetNeededMemory(), servers.GetMemoryCapacity()));
    m_before = std::max(Share(manager.GetNeededCpu(), servers.GetCpuCapacity()),
                        Share(manager.GetNeededMemory(), servers.GetMemoryCapacity()));
    m_connected.resize(servers.GetNServers());
    manager.FindConnected(m_connected.data());
    m_racks.assign(network.GetNRacks(), Group());
    m_clusters.assign(sizes.clusters, Group());
    const uint32_t peers = m_chosen + m_toCome - 1;
    LinkId link = servers.GetNServers();
    ServerId server = 0;
    for (RackId r = 0; r < network.GetNRacks(); ++r)
    {
        Group& rack = m_racks[r];
        for (uint32_t i = 0; i < sizes.serversPerRack; ++i, ++server)
        {
            rack.chosen += manager.IsChosen(server);
            if (!manager.IsUseful(server))
            {
                continue;
            }
            const uint32_t cpu = servers.GetCpu(server);
            const uint32_t memory = servers.GetMemory(server);
            rack.idle += cpu == servers.GetCpuCapacity() && memory == servers.GetMemoryCapacity();
            if (channels.GetFree(server) >= peers)
            {
                rack.cpu += cpu;
                rack.memory += memory;
            }
        }
        rack.uplinks = sizes.rackUplinks * sizes.channels[1];
        for (uint32_t i = 0; i < sizes.rackUplinks; ++i)
        {
            rack.free += channels.GetFree(link++);
        }
        Group& cluster = m_clusters[network.GetCluster(r)];
        cluster.cpu += rack.cpu;
        cluster.memory += rack.memory;
        cluster.chosen += rack.chosen;
        Finish(manager, rack, sizes.serversPerRack);
        const float inside =
            static_cast<float>(rack.chosen) + rack.fit * static_cast<float>(m_toCome);
        const float outside = static_cast<float>(m_chosen + m_toCome) - inside;
        rack.split = std::min(1.0F, inside * outside / (1.0F + static_cast<float>(rack.free)));
    }
    for (Group& cluster : m_clusters)
    {
        const uint32_t links = sizes.rackUplinks * sizes.cores;
        cluster.uplinks = links * sizes.channels[2];
        for (uint32_t i = 0; i < links; ++i)
        {
            cluster.free += channels.GetFree(link++);
        }
        Finish(manager, cluster, sizes.serversPerRack * sizes.racksPerCluster);
    }
}

void
RddcPlacementFeatures::Describe(const RddcManager& manager, ServerId server, float* out) const
{
    std::fill_n(out, COUNT, 0.0F);
    out[CHOSEN] = manager.IsChosen(server) ? 1.0F : 0.0F;
    if (!manager.IsUseful(server))
    {
        return;
    }
    const RddcServerLedger& servers = manager.GetServers();
    const RddcNetwork& network = *manager.GetChannels().GetNetwork();
    const uint32_t perRack = network.GetSizes().serversPerRack;
    const uint32_t cpuUnits = servers.GetCpuCapacity();
    const uint32_t memoryUnits = servers.GetMemoryCapacity();
    const uint32_t freeCpu = servers.GetCpu(server);
    const uint32_t freeMemory = servers.GetMemory(server);
    const uint32_t cpu = std::min(freeCpu, manager.GetNeededCpu());
    const uint32_t memory = std::min(freeMemory, manager.GetNeededMemory());
    const uint32_t cpuAfter = manager.GetNeededCpu() - cpu;
    const uint32_t memoryAfter = manager.GetNeededMemory() - memory;
    const uint32_t after = std::max(Fill(cpuAfter, cpuUnits), Fill(memoryAfter, memoryUnits));
    const uint32_t peers = m_chosen + after;
    const uint32_t n = network.GetChannels(server);
    const uint32_t free = manager.GetChannels().GetFree(server);
    const Group& rack = m_racks[network.GetRack(server)];
    const Group& cluster = m_clusters[network.GetCluster(network.GetRack(server))];
    out[CPU] = Share(cpu, cpuUnits);
    out[MEMORY] = Share(memory, memoryUnits);
    out[CPU_LEFT] = Share(freeCpu - cpu, cpuUnits);
    out[MEMORY_LEFT] = Share(freeMemory - memory, memoryUnits);
    out[PROGRESS] = m_before - std::max(Share(cpuAfter, cpuUnits), Share(memoryAfter, memoryUnits));
    out[STEP] = after < m_toCome ? 1.0F : 0.0F;
    out[COMPLETE] = after == 0 ? 1.0F : 0.0F;
    out[CHANNELS] = Share(free, n);
    out[CHANNELS_LEFT] = free > peers ? Share(free - peers, n) : 0.0F;
    out[CHANNELS_SHORT] = free < peers ? std::min(1.0F, Share(peers - free, n)) : 0.0F;
    if (freeCpu == cpuUnits && freeMemory == memoryUnits)
    {
        out[IDLE] = 1.0F;
        out[SPOILT] = std::min(out[CPU_LEFT], out[MEMORY_LEFT]);
    }
    if (m_chosen > 0)
    {
        const uint32_t rackPaths = m_chosen - rack.chosen;
        const uint32_t clusterPaths = m_chosen - cluster.chosen;
        out[NEAR] = Share(rack.chosen, m_chosen);
        out[RACK_PATHS] = std::min(1.0F, Share(rackPaths, perRack));
        out[CLUSTER_PATHS] = std::min(1.0F, Share(clusterPaths, perRack));
        out[RACK_LOAD] = std::min(1.0F, Share(rackPaths, rack.free + 1));
        out[CLUSTER_LOAD] = std::min(1.0F, Share(clusterPaths, cluster.free + 1));
    }
    out[RACK_FIT] = rack.fit;
    out[RACK_HOLDS] = rack.fit == 1.0F ? 1.0F : 0.0F;
    out[RACK_LEFT] = rack.left;
    out[CLUSTER_FIT] = cluster.fit;
    out[CLUSTER_HOLDS] = cluster.fit == 1.0F ? 1.0F : 0.0F;
    out[CLUSTER_LEFT] = cluster.left;
    out[RACK_IDLE] = Share(rack.idle, perRack);
    out[RACK_IDLE_FIT] = std::min(1.0F, Share(rack.idle, m_toCome));
    out[RACK_UPLINKS] = rack.used;
    out[CLUSTER_UPLINKS] = cluster.used;
    out[SPLIT] = rack.split;
    if (!m_connected[server])
    {
        out[LOST] = 1.0F;
        out[LOST_SERVERS] = std::min(1.0F, Share(2 * (m_chosen + m_toCome), perRack));
    }
}

} // namespace ns3::odcn
