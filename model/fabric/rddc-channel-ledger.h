// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_CHANNEL_LEDGER_H
#define RDDC_CHANNEL_LEDGER_H

#include "rddc-network.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ns3::odcn
{

/// How the path of a pair of servers is chosen.
struct RddcRouting
{
    /// In which order paths are tried.
    enum Order
    {
        HOPS,       //!< fewest links first
        LEAST_FREE, //!< least sum of free channels first: prefers loaded links
        LEAST_USED, //!< least sum of channels in use first: prefers idle links
    };

    Order order{HOPS}; //!< in which order
    uint32_t tries{3}; //!< k, how many are tried

    /// @param o other  @return whether both members are equal
    bool operator==(const RddcRouting& o) const = default;
};

/// One channel on every link between two servers, both ways.
struct RddcLightpath
{
    ServerId from{NO_SERVER}; //!< one end
    ServerId to{NO_SERVER};   //!< the other end
    uint32_t path{0};         //!< which of the paths between their racks

    /// @param o other  @return whether all members are equal
    bool operator==(const RddcLightpath& o) const = default;
};

/**
 * @ingroup odcn
 *
 * The free channels of every link of an RddcNetwork. Always, on each link: free channels plus
 * lightpaths over it are the link's channels.
 *
 * Exact integers: releasing what was granted restores the ledger bit for bit, and what cannot be
 * granted whole leaves it as it was. A plain value: copying it is a what-if, too.
 */
class RddcChannelLedger
{
  public:
    RddcChannelLedger() = default;

    /// @param network whose channels these are; all are free
    explicit RddcChannelLedger(std::shared_ptr<const RddcNetwork> network);

    /**
     * Join one server to each of some others, in their order: each pair gets the first path with a
     * free channel on every link.
     *
     * @param server one
     * @param others distinct, without @p server
     * @param routing how paths are chosen
     * @param [in,out] granted one lightpath for each of the others is appended
     * @return false when some pair finds no path: nothing has changed
     */
    bool Connect(ServerId server,
                 std::span<const ServerId> others,
                 const RddcRouting& routing,
                 std::vector<RddcLightpath>& granted);

    /**
     * What would become of Connect().
     * @param server one  @param others distinct, without @p server  @param routing how paths are
     * chosen
     * @return whether each pair would find a path
     */
    bool CanConnect(ServerId server,
                    std::span<const ServerId> others,
                    const RddcRouting& routing) const
    {
        return m_free[server] >= others.size() &&
               CanConnectRack(m_network->GetRack(server), others, routing);
    }

    /**
     * What would become of Connect() for the servers of a rack, if their own links have channels
     * enough: one for each of the others.
     * @param rack the rack  @param others distinct servers  @param routing how paths are chosen
     * @return whether each pair would find a path
     */
    bool CanConnectRack(RackId rack,
                        std::span<const ServerId> others,
                        const RddcRouting& routing) const;

    /// @param lightpaths granted before, to be given back
    void Release(std::span<const RddcLightpath> lightpaths);

    /// @param link a link  @return its free channels
    uint32_t GetFree(LinkId link) const
    {
        return m_free[link];
    }

    /// @param tier 0 to 2  @return channels in use on all its links
    uint64_t GetUsed(std::size_t tier) const
    {
        return m_used[tier];
    }

    /// @return whose channels these are
    const std::shared_ptr<const RddcNetwork>& GetNetwork() const
    {
        return m_network;
    }

    /// @return a number that grows with every change
    uint64_t GetVersion() const
    {
        return m_version;
    }

    /// @param lightpath one  @return the links of tiers 2 and 3 that it takes
    std::span<const LinkId> GetSwitchLinks(const RddcLightpath& lightpath) const
    {
        return m_network->GetPath(m_network->GetRack(lightpath.from),
                                  m_network->GetRack(lightpath.to),
                                  lightpath.path);
    }

    /// @param o other  @return whether the network and the free channels of every link are equal
    bool operator==(const RddcChannelLedger& o) const
    {
        return m_network == o.m_network && m_free == o.m_free && m_used == o.m_used;
    }

  private:
    /// "None of the paths has a free channel on every link."
    static constexpr std::size_t NO_PATH = SIZE_MAX;

    /**
     * @param free free channels of every link
     * @param a a rack
     * @param b a rack
     * @param routing how paths are chosen
     * @return index of the path between their switches, or NO_PATH
     */
    std::size_t Choose(const uint32_t* free, RackId a, RackId b, const RddcRouting& routing) const;

    /// @param lightpath to be taken (sign -1) or given back (sign 1)  @param sign which
    void Change(const RddcLightpath& lightpath, int32_t sign);

    std::shared_ptr<const RddcNetwork> m_network;      //!< whose channels these are
    std::vector<uint32_t> m_free;                      //!< of each link
    std::array<uint64_t, RddcNetwork::TIERS> m_used{}; //!< of each tier
    uint64_t m_version{0};                             //!< changes so far
    mutable std::vector<uint32_t> m_trial;             //!< scratch of what-ifs
};

} // namespace ns3::odcn

#endif /* RDDC_CHANNEL_LEDGER_H */
