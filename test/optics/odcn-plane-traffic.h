// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PLANE_TRAFFIC_H
#define ODCN_PLANE_TRAFFIC_H

/**
 * @file
 * What sends without ns-3's time, on a plane in ns-3.
 */

#include "ns3/odcn-message-plane.h"
#include "ns3/odcn-traffic.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// Lets a source send on a plane in ns-3.
class PlaneTraffic
{
  public:
    /// @param plane carries the messages
    /// @param source what sends
    PlaneTraffic(Ptr<MessagePlane> plane, TrafficSource& source)
        : m_plane(plane),
          m_source(source)
    {
        std::vector<Message> send;
        m_source.Start(send);
        Take(send);
    }

  private:
    /// @param send messages to send, at their times
    void Take(const std::vector<Message>& send)
    {
        for (const Message& message : send)
        {
            if (message.sent > Simulator::Now())
            {
                Simulator::Schedule(message.sent - Simulator::Now(),
                                    [this, message] { Send(message); });
            }
            else
            {
                Send(message);
            }
        }
    }

    /// @param message to send now
    void Send(const Message& message)
    {
        m_plane->Send(
            message.from,
            message.to,
            message.bytes,
            [this](const Message& received)
            {
                std::vector<Message> send;
                m_source.Receive(received, Simulator::Now(), send);
                Take(send);
            },
            message.tag);
    }

    Ptr<MessagePlane> m_plane; //!< carries the messages
    TrafficSource& m_source;   //!< what sends
};

/// @param times of a run
/// @return them in ps; -1 for negative ones
inline std::vector<int64_t>
ToPicoseconds(const std::vector<Time>& times)
{
    std::vector<int64_t> list;
    for (const Time& time : times)
    {
        list.push_back(time.IsStrictlyNegative() ? -1 : time.GetPicoSeconds());
    }
    return list;
}

} // namespace ns3::odcn

#endif /* ODCN_PLANE_TRAFFIC_H */
