// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MAX_MIN_RATES_H
#define ODCN_MAX_MIN_RATES_H

#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Max-min fair rates of flows over links, kept while flows come and go (Bertsekas and Gallager,
 * Data Networks, section 6.5.2).
 *
 * Each link has a level: the rate that its flows get if no other link limits them. It is infinite
 * on a link that limits none of its flows. The rate of a flow is the least level on its path.
 * A level depends only on lower ones. So Update() goes through the links whose level may be
 * wrong in the order of the lower of old and new level: each is first raised to infinity if it has
 * to grow, and then set once. Links whose level does not change cost nothing beyond the check. A
 * flow that shares no link with another one, as in a ring, has the least capacity on its path, at
 * once.
 *
 * A level is computed from scratch from the lower levels, and does not depend on what happens on
 * links that are not connected.
 */
class MaxMinRates
{
  public:
    /// @param capacity 0 or more, in any unit, the same for all
    /// @return index of a new link
    uint32_t AddLink(double capacity);

    /// @param link index of a link
    /// @param capacity of it, 0 or more
    /// @return whether it had another one
    bool SetCapacity(uint32_t link, double capacity);

    /// @param link index of a link
    /// @return whether flows are on it
    bool IsUsed(uint32_t link) const
    {
        return !m_links[link].flows.empty();
    }

    /// @param link index of a link
    /// @return indices of the flows on it, in ascending order
    std::vector<uint32_t> GetFlows(uint32_t link) const;

    /// @param flow index of a flow that is on no link; memory grows with the highest one
    /// @param links of its path, each once, 1 or more
    void AddFlow(uint32_t flow, const std::vector<uint32_t>& links);

    /// @param flow index of a flow, free for another one afterwards
    void RemoveFlow(uint32_t flow);

    /// Give the memory for flows back. There are none.
    void FreeMemory();

    /// @return whether Update() is needed
    bool HasChanged() const
    {
        return !m_touched.empty();
    }

    /**
     * Compute the rates after changes of flows and capacities.
     * @param visit called with the index of each flow whose rate may be another one, once; it may
     * call GetRate()
     */
    template <typename Visitor>
    void Update(Visitor visit)
    {
        FindLevels();
        for (const uint32_t link : m_touched)
        {
            for (const uint32_t flow : m_links[link].flows)
            {
                if (!m_flows[flow].isVisited)
                {
                    m_flows[flow].isVisited = true;
                    visit(flow);
                }
            }
        }
        ForgetChanges();
    }

    /// @param flow index of a flow
    /// @return its rate after Update(), in the unit of capacities
    double GetRate(uint32_t flow) const;

  private:
    /// No level.
    static constexpr double NONE = std::numeric_limits<double>::infinity();
    /// No index in m_places.
    static constexpr uint32_t NO_PLACE = UINT32_MAX;

    /// Place of a flow in the list of a link.
    struct Place
    {
        uint32_t link;     //!< index
        uint32_t position; //!< in Link::flows
        double limit;      //!< the flow's level elsewhere if that is below the link's; else NONE
    };

    /// A flow.
    struct Flow
    {
        Flow()
            : nPlaces(0),
              isVisited(false)
        {
        }

        uint32_t first{0};     //!< of its links in m_places
        uint32_t nPlaces : 31; //!< number of its links
        bool isVisited : 1;    //!< whether it was visited, during Update()
    };

    /// A link.
    struct Link
    {
        double capacity{0};            //!< in any unit
        double level{NONE};            //!< see MaxMinRates
        double share{NONE};            //!< what the level should be, or less
        double free{0};                //!< capacity without the flows that are limited elsewhere
        double key{NONE};              //!< where it is in the queue
        uint32_t nOpen{0};             //!< flows that are not limited elsewhere
        bool isExact{true};            //!< whether share is exact
        bool isTouched{false};         //!< whether it is in m_touched
        std::vector<uint32_t> flows{}; //!< indices
    };

    /// Part of the queue: a level, and the index of a link.
    using Key = std::pair<double, uint32_t>;

    /// @param flow index of a flow
    /// @return its places, until the next AddFlow()
    std::span<Place> GetPlaces(uint32_t flow)
    {
        return {m_places.data() + m_flows[flow].first, m_flows[flow].nPlaces};
    }

    /// @param flow index of a flow
    /// @param link index of a link on its path
    /// @return its place there, until the next AddFlow()
    Place& GetPlace(uint32_t flow, uint32_t link);

    /// @param link index of a link, whose flows may have other rates
    void Touch(uint32_t link);
    /// @param link index of a link
    /// @param key where it belongs in the queue, at most
    void Queue(uint32_t link, double key);
    /// Compute what the level of a link should be.
    /// @param index of the link
    void FindShare(uint32_t index);
    /// Change a level.
    /// @param index of the link
    /// @param level the new one
    void SetLevel(uint32_t index, double level);
    /// Change what is known of the limit of a flow. @param place of the flow at a link
    /// @param limit see Place
    void SetLimit(Place& place, double limit);
    /// Set the levels on the path of a flow that shares no link with another one.
    /// @param index of a link
    /// @return whether it has such a flow, or none
    bool SettleAlone(uint32_t index);
    /// Set the level of a link with at most one flow.
    /// @param link the link
    /// @param rate of its flow; NONE if it has none
    static void SetAlone(Link& link, double rate);
    /// Take a link whose key is the lowest out of the queue. @param index of the link
    void Settle(uint32_t index);
    /// Compute the levels of all links after changes.
    void FindLevels();
    /// The flows on links that have changed were visited.
    void ForgetChanges();

    std::vector<Link> m_links;       //!< by index
    std::vector<Flow> m_flows;       //!< by index
    std::vector<Place> m_places;     //!< of all flows, those of a flow behind each other
    std::vector<uint32_t> m_unused;  //!< by number of links: first of places free for a flow, which
                                     //!< has the next such one as its position; or NO_PLACE
    std::vector<uint32_t> m_touched; //!< links with changes
    std::vector<double> m_limits;    //!< of the flows of a link
    double m_floor{0};               //!< highest key so far in Update(); lower levels are right
    std::priority_queue<Key, std::vector<Key>, std::greater<>> m_queue; //!< with outdated keys
};

} // namespace ns3::odcn

#endif /* ODCN_MAX_MIN_RATES_H */
