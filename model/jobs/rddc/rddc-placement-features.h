// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_PLACEMENT_FEATURES_H
#define RDDC_PLACEMENT_FEATURES_H

#include "rddc-manager.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Features that describe a server for a request, beyond the state of the NARA paper: what the
 * server provides and what is left of it, whether its rack and its cluster hold the rest of the
 * request, and the channels that its lightpaths take on the links above. Every number is about one
 * server and between 0 and 1; none grows with the number of servers, racks or clusters.
 *
 * The number of servers *to come* is the number that the larger remaining need fills, including the
 * one to be chosen; with those chosen they are the request's servers, each with a channel to every
 * other. A rack's *usable* servers have something that is needed and enough channels for that; the
 * rack *holds* the request if they have all that is still needed.
 *
 * All features but CHOSEN are 0 if the server has nothing that is needed.
 */
class RddcPlacementFeatures
{
  public:
    /// The features, in order.
    enum Feature : uint32_t
    {
        CPU,             //!< CPU that the server provides, share of its capacity
        MEMORY,          //!< memory that the server provides, share of its capacity
        CHOSEN,          //!< 1 if the server is part of the request
        CPU_LEFT,        //!< CPU left free, share of its capacity
        MEMORY_LEFT,     //!< memory left free, share of its capacity
        PROGRESS,        //!< reduction of the larger need, in servers
        STEP,            //!< 1 if this reduces the number of servers to come
        COMPLETE,        //!< 1 if it completes the request
        CHANNELS,        //!< free channels, share of its channels
        CHANNELS_LEFT,   //!< free channels that the request leaves, share of its channels
        CHANNELS_SHORT,  //!< channels that the request lacks, share of its channels
        IDLE,            //!< 1 if nothing of it is in use
        SPOILT,          //!< the lesser of CPU and memory left free, if it was idle
        NEAR,            //!< share of the chosen servers that are in its rack
        RACK_PATHS,      //!< chosen servers in other racks, over the servers of a rack
        CLUSTER_PATHS,   //!< chosen servers in other clusters, over the servers of a rack
        RACK_FIT,        //!< share of what is still needed that the rack's usable servers have
        RACK_HOLDS,      //!< 1 if that is all of it
        RACK_LEFT,       //!< share of the rack left free then, mean of CPU and memory
        CLUSTER_FIT,     //!< as RACK_FIT, for the cluster
        CLUSTER_HOLDS,   //!< as RACK_HOLDS, for the cluster
        CLUSTER_LEFT,    //!< as RACK_LEFT, for the cluster
        RACK_IDLE,       //!< idle servers in the rack, share of its servers
        RACK_IDLE_FIT,   //!< idle servers in the rack per server to come, at most 1
        RACK_UPLINKS,    //!< share of the channels on the rack's uplinks in use
        RACK_LOAD,       //!< paths to other racks per free channel there, at most 1
        CLUSTER_UPLINKS, //!< share of the channels on the cluster's uplinks in use
        CLUSTER_LOAD,    //!< paths to other clusters per free channel there, at most 1
        SPLIT,           //!< paths between racks if the rack takes all it can, per free channel
        LOST,            //!< 1 if a path is missing, so that choosing it loses the request
        LOST_SERVERS,    //!< if LOST, the request's servers over half a rack's, at most 1
        COUNT            //!< number of features
    };

    /// @return their names, e.g. "rack-fit"
    static std::vector<std::string> GetNames();

    /**
     * Prepare the features of a decision, before Describe().
     * @param manager that serves a request
     */
    void Begin(const RddcManager& manager);

    /**
     * @param manager as in Begin()
     * @param server a server
     * @param [out] out its features, COUNT of them
     */
    void Describe(const RddcManager& manager, ServerId server, float* out) const;

  private:
    /// Resources of a rack or cluster for the request, and the channels of its uplinks.
    struct Group
    {
        uint32_t cpu{0};     //!< free CPU units of usable servers
        uint32_t memory{0};  //!< free memory units of usable servers
        uint32_t idle{0};    //!< idle servers
        uint32_t chosen{0};  //!< servers of the request
        uint32_t uplinks{0}; //!< channels of the uplinks
        uint32_t free{0};    //!< free channels of the uplinks
        float fit{0};        //!< share of what is still needed, at most 1
        float left{0};       //!< share left free if fit is 1; mean of CPU and memory
        float used{0};       //!< share of the uplinks' channels in use
        float split{0};      //!< see SPLIT; for racks only
    };

    /// @param manager as in Begin()  @param group to be completed  @param servers number in it
    void Finish(const RddcManager& manager, Group& group, uint32_t servers) const;

    uint32_t m_chosen{0};             //!< number of servers chosen so far
    uint32_t m_toCome{0};             //!< number of servers to come
    float m_before{0};                //!< the larger need, in servers
    std::vector<Group> m_racks;       //!< [rack]
    std::vector<Group> m_clusters;    //!< [cluster]
    std::vector<uint8_t> m_connected; //!< [server]: whether all its paths exist
};

} // namespace ns3::odcn

#endif /* RDDC_PLACEMENT_FEATURES_H */
