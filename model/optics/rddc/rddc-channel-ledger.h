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

/// How the path between two servers is chosen.
struct RddcRouting
{
    /// Order in which paths are tried.
    enum Order
    {
        HOPS,       //!< fewest links first
        LEAST_FREE, //!< least sum of free channels first: prefers loaded links
        LEAST_USED, //!< least sum of channels in use first: prefers idle links
    };

    Order order{HOPS}; //!< order in which paths are tried
    uint32_t tries{3}; //!< k, number of paths tried

    /// @param o other  @return whether both members are equal
    bool operator==(const RddcRouting& o) const = default;
};

/// One channel, in both directions, on each link between two servers.
struct RddcLightpath
{
    ServerId from{NO_SERVER}; //!< one end
    ServerId to{NO_SERVER};   //!< the other end
    uint32_t path{0};         //!< index of the path between their racks

    /// @param o other  @return whether all members are equal
    bool operator==(const RddcLightpath& o) const = default;
};

/**
 * @ingroup odcn
 *
 * The free channels of each link of an RddcNetwork. Invariant: on each link that works, free
 * channels plus lightpaths over it equal the link's channels.
 *
 * Releasing lightpaths restores the ledger bit for bit, and a request that cannot be granted in
 * full leaves it unchanged. A value type: copy it for a what-if.
 */
class RddcChannelLedger
{
  public:
    RddcChannelLedger() = default;

    /// @param network the network; all channels are free
    explicit RddcChannelLedger(std::shared_ptr<const RddcNetwork> network);

    /**
     * Connect a server to each of some others, in order: each pair gets the first path with a free
     * channel on every link.
     *
     * @param server a server
     * @param others distinct, without @p server
     * @param routing how paths are chosen
     * @param [in,out] granted one lightpath for each of the others is appended
     * @return false when there is no path for a pair; then the ledger is unchanged
     */
    bool Connect(ServerId server,
                 std::span<const ServerId> others,
                 const RddcRouting& routing,
                 std::vector<RddcLightpath>& granted);

    /**
     * Predict the result of Connect() for any server of a rack whose own link has enough channels,
     * one for each of the others.
     * @param rack the rack  @param others distinct servers  @param routing how paths are chosen
     * @return whether Connect() would succeed
     */
    bool CanConnectRack(RackId rack,
                        std::span<const ServerId> others,
                        const RddcRouting& routing) const;

    /// @param lightpaths to release
    void Release(std::span<const RddcLightpath> lightpaths);

    /// Fail or repair a link without lightpaths: it has no free channel until it is repaired.
    /// @param link a link  @param failed whether it fails
    void SetFailed(LinkId link, bool failed)
    {
        m_free[link] = failed ? 0 : m_network->GetChannels(link);
        ++m_version;
    }

    /// @param link a link  @return number of its free channels
    uint32_t GetFree(LinkId link) const
    {
        return m_free[link];
    }

    /// @param tier 0 to 2  @return number of channels in use, summed over its links
    uint64_t GetUsed(std::size_t tier) const
    {
        return m_used[tier];
    }

    /// @return the network
    const std::shared_ptr<const RddcNetwork>& GetNetwork() const
    {
        return m_network;
    }

    /// @return version number, which grows with every change
    uint64_t GetVersion() const
    {
        return m_version;
    }

    /// @param lightpath a lightpath  @return the links of tiers 2 and 3 that it uses
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
    /// No path has a free channel on every link.
    static constexpr std::size_t NO_PATH = SIZE_MAX;

    /**
     * @param free free channels of every link
     * @param a a rack
     * @param b a rack
     * @param routing how paths are chosen
     * @return index of the path between their switches, or NO_PATH
     */
    std::size_t Choose(const uint32_t* free, RackId a, RackId b, const RddcRouting& routing) const;

    /// @param lightpath to reserve or release  @param sign -1 to reserve, 1 to release
    void Change(const RddcLightpath& lightpath, int32_t sign);

    std::shared_ptr<const RddcNetwork> m_network;      //!< the network
    std::vector<uint32_t> m_free;                      //!< [link]: free channels
    std::array<uint64_t, RddcNetwork::TIERS> m_used{}; //!< [tier]: channels in use
    uint64_t m_version{0};                             //!< number of changes so far
    mutable std::vector<uint32_t> m_trial;             //!< buffer of CanConnectRack()
};

} // namespace ns3::odcn

#endif /* RDDC_CHANNEL_LEDGER_H */
