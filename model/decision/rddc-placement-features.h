// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_PLACEMENT_FEATURES_H
#define RDDC_PLACEMENT_FEATURES_H

#include "ns3/rddc-manager.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * What the choice of a server for a request depends on, beyond the state of the NARA paper: what
 * the server lends and what is left of it, whether its rack and its cluster hold the rest of the
 * request, and what the lightpaths take of the links above. Every number is about one server and
 * lies between 0 and 1; none grows with the number of servers, racks or clusters.
 *
 * Servers "to come" are as many as the greater of what is still needed fills, the one to be chosen
 * included; with those chosen they are the request's servers, each with a channel to each other. A
 * rack's *usable* servers are those that lend something and have channels enough for that; it
 * *holds* the request when they have all that is still needed.
 *
 * All features but CHOSEN are 0 where the server has nothing to lend.
 */
class RddcPlacementFeatures
{
  public:
    /// The features, in order.
    enum Feature : uint32_t
    {
        CPU,             //!< CPU that the server lends, share of its own
        MEMORY,          //!< memory likewise
        CHOSEN,          //!< 1 where the server is part of the request
        CPU_LEFT,        //!< CPU that stays free, share of its own
        MEMORY_LEFT,     //!< memory likewise
        PROGRESS,        //!< by how much it lowers the greater need, in servers
        STEP,            //!< 1 where fewer servers are to come after it
        COMPLETE,        //!< 1 where it completes the request
        CHANNELS,        //!< its free channels, share of its own
        CHANNELS_LEFT,   //!< of them those that the request's servers will leave, likewise
        CHANNELS_SHORT,  //!< those that they will lack, likewise
        IDLE,            //!< 1 where nothing of it is lent
        SPOILT,          //!< what stays free of an idle server, the lesser of CPU and memory
        NEAR,            //!< share of the chosen servers that are in its rack
        RACK_PATHS,      //!< chosen servers in other racks, in servers of a rack
        CLUSTER_PATHS,   //!< of them those in other clusters, likewise
        RACK_FIT,        //!< share of what is still needed that the rack's usable servers have
        RACK_HOLDS,      //!< 1 where that is all of it
        RACK_LEFT,       //!< what would then be left of it, the mean of CPU and memory
        CLUSTER_FIT,     //!< as RACK_FIT, of the cluster
        CLUSTER_HOLDS,   //!< as RACK_HOLDS
        CLUSTER_LEFT,    //!< as RACK_LEFT
        RACK_IDLE,       //!< idle servers in the rack, share of all there
        RACK_IDLE_FIT,   //!< idle servers in the rack for one to come, 1 at most
        RACK_UPLINKS,    //!< channels in use on the rack's uplinks, share
        RACK_LOAD,       //!< RACK_PATHS' share of what is free there, 1 at most
        CLUSTER_UPLINKS, //!< channels in use on the cluster's uplinks, share
        CLUSTER_LOAD,    //!< CLUSTER_PATHS' share of what is free there, 1 at most
        SPLIT,           //!< paths between racks if the rack takes all it can, share of free ones
        LOST,            //!< 1 where a path is missing: choosing it loses the request
        LOST_SERVERS,    //!< then the request's servers, in servers of half a rack, 1 at most
        COUNT            //!< how many features there are
    };

    /// @param feature which  @return its name, e.g. "rack-fit"
    static const char* GetName(uint32_t feature);

    /**
     * Look at the decision as a whole, before Describe().
     * @param manager serves a request
     */
    void Begin(const RddcManager& manager);

    /**
     * @param manager the same
     * @param server a server
     * @param [out] out its features, COUNT of them
     */
    void Describe(const RddcManager& manager, ServerId server, float* out) const;

  private:
    /// What servers together have for the request, and the channels that lead out of there.
    struct Group
    {
        uint32_t cpu{0};     //!< free units of usable servers
        uint32_t memory{0};  //!< likewise
        uint32_t idle{0};    //!< servers of which nothing is lent
        uint32_t chosen{0};  //!< servers of the request
        uint32_t uplinks{0}; //!< channels that lead out
        uint32_t free{0};    //!< of them free
        float fit{0};        //!< share of what is still needed that is here
        float left{0};       //!< what is left if that is all; mean of CPU and memory
        float used{0};       //!< share of the channels that lead out in use
        float split{0};      //!< see SPLIT; of racks
    };

    /// @param manager the same  @param group with units  @param servers of it in all
    void Finish(const RddcManager& manager, Group& group, uint32_t servers) const;

    uint32_t m_chosen{0};             //!< servers of the request so far
    uint32_t m_toCome{0};             //!< servers to come
    float m_before{0};                //!< the greater need, in servers
    std::vector<Group> m_racks;       //!< of each rack
    std::vector<Group> m_clusters;    //!< of each cluster
    std::vector<uint8_t> m_connected; //!< of each server: whether it would find its paths
};

} // namespace ns3::odcn

#endif /* RDDC_PLACEMENT_FEATURES_H */
