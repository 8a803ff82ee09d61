// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_PACKET_TRACE_H
#define OCS_PACKET_TRACE_H

#include "ns3/callback.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A trace source of packets that is a single pointer while no sink is connected, a third of the
 * size of a TracedCallback: a device has eleven and evaluates most of them for each packet.
 * MakeTraceSourceAccessor() accepts it like a TracedCallback.
 */
class OcsPacketTrace
{
  public:
    /// @param callback sink to connect  @param path context, its first argument
    void Connect(const CallbackBase& callback, const std::string& path)
    {
        Listen().Connect(callback, path);
    }

    /// @param callback sink to connect
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        Listen().ConnectWithoutContext(callback);
    }

    /// @param callback sink to disconnect  @param path context with which it was connected
    void Disconnect(const CallbackBase& callback, const std::string& path)
    {
        Listen().Disconnect(callback, path);
    }

    /// @param callback sink to disconnect
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        Listen().DisconnectWithoutContext(callback);
    }

    /// Call all sinks. @param packet Ptr to a packet, const or not
    template <typename T>
    void operator()(const Ptr<T>& packet) const
    {
        if (m_listeners)
        {
            (*m_listeners)(packet);
        }
    }

  private:
    using Listeners = TracedCallback<Ptr<const Packet>>; //!< connected sinks

    /// @return the sinks, created on first use
    Listeners& Listen()
    {
        if (!m_listeners)
        {
            m_listeners = std::make_unique<Listeners>();
        }
        return *m_listeners;
    }

    std::unique_ptr<Listeners> m_listeners; //!< null until a sink is connected
};

} // namespace ns3::odcn

#endif /* OCS_PACKET_TRACE_H */
