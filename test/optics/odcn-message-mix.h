// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MESSAGE_MIX_H
#define ODCN_MESSAGE_MIX_H

/**
 * @file
 * Random mixes of messages, for planes of all kinds.
 */

#include "ns3/nstime.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// A message of a random mix.
struct Planned
{
    Time at;        //!< when to send it
    uint32_t from;  //!< sender
    uint32_t to;    //!< receiver
    uint64_t bytes; //!< size
};

/// @param seed of the random numbers
/// @param servers number of end points
/// @param number of messages
/// @param within time of their starts
/// @param most bytes
/// @return a random mix; sizes are log-uniform
inline std::vector<Planned>
MakeMix(uint32_t seed, uint32_t servers, uint32_t number, Time within, double most)
{
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    std::vector<Planned> mix;
    for (uint32_t i = 0; i < number; ++i)
    {
        const auto from = static_cast<uint32_t>(random() % servers);
        const auto to = static_cast<uint32_t>((from + 1 + random() % (servers - 1)) % servers);
        const auto at = static_cast<uint64_t>(uniform(random) * within.GetTimeStep());
        mix.push_back({TimeStep(at), from, to, uint64_t(std::pow(most, uniform(random)))});
    }
    return mix;
}

/// Sends a mix, and counts.
class Mix
{
  public:
    /// @param plane carries the messages
    /// @param mix of messages
    Mix(Ptr<MessagePlane> plane, const std::vector<Planned>& mix)
        : times(mix.size(), Time(-1)),
          m_plane(plane)
    {
        for (uint32_t i = 0; i < mix.size(); ++i)
        {
            Simulator::Schedule(mix[i].at, [this, i, one = mix[i]] { Send(i, one); });
        }
    }

    std::vector<Time> times;    //!< by message; negative if it was not delivered
    std::vector<uint32_t> ends; //!< messages in the order of their delivery

  private:
    /// @param i index
    /// @param one of the mix
    void Send(uint32_t i, const Planned& one)
    {
        m_plane->Send(
            one.from,
            one.to,
            one.bytes,
            [this, i](const Message& message)
            {
                if (message.tag == i && times[i].IsNegative())
                {
                    times[i] = Simulator::Now() - message.sent;
                    ends.push_back(i);
                }
                if (ends.size() == times.size())
                {
                    Simulator::Stop(MilliSeconds(30)); // for acknowledgements
                }
            },
            i);
    }

    Ptr<MessagePlane> m_plane; //!< carries the messages
};

/// @param plane of messages
/// @return whether all were delivered, and their bytes
inline bool
AllDelivered(const MessagePlane& plane)
{
    const auto messages = plane.CountMessages();
    const auto bytes = plane.CountBytes();
    return messages.inFlight == 0 && messages.sent == messages.delivered && bytes.inFlight == 0 &&
           bytes.sent == bytes.delivered;
}

/// @param racks number
/// @param servers of a rack
/// @param queue of server ports and network cards
/// @return a helper and size of fabrics with all circuits for ever
inline std::pair<OcsHelper, OcsFabricSize>
AllToAll(uint32_t racks, uint32_t servers, const char* queue = "100000p")
{
    OcsHelper ocs;
    ocs.SetTorAttribute("NoCircuit", StringValue("Hold"));
    ocs.SetServerAttribute("DataRate", StringValue("10Gbps"));
    ocs.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    ocs.SetServerFiberAttribute("Delay", StringValue("100ns"));
    ocs.SetUplinkFiberAttribute("Delay", StringValue("250ns"));
    ocs.SetServerQueue("ns3::DropTailQueue", QueueSize(queue));
    return {ocs, OcsFabricSize{racks, servers, racks - 1, racks - 1}};
}

/// @param racks number
/// @return circuits between all of them for ever
inline Ptr<CircuitSchedule>
AllPairs(uint32_t racks)
{
    std::vector<Matching> planes(racks - 1, Matching(racks));
    for (uint32_t p = 0; p + 1 < racks; ++p)
    {
        for (RackId u = 0; u < racks; ++u)
        {
            planes[p][u] = (u + 1 + p) % racks;
        }
    }
    Ptr<ExplicitSchedule> schedule = CreateObject<ExplicitSchedule>();
    schedule->SetPlanes(planes);
    schedule->Build(racks, racks - 1);
    return schedule;
}

/// @param times of messages
/// @return their sum in seconds
inline double
Sum(const std::vector<Time>& times)
{
    return std::accumulate(times.begin(),
                           times.end(),
                           0.0,
                           [](double sum, const Time& time) { return sum + time.GetSeconds(); });
}

} // namespace ns3::odcn

#endif /* ODCN_MESSAGE_MIX_H */
