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
 * A trace source of packets that is one pointer as long as nobody listens: a third of a
 * TracedCallback's size, in a device that has eleven of them and asks most for each packet.
 * MakeTraceSourceAccessor() takes it as it takes a TracedCallback.
 */
class OcsPacketTrace
{
  public:
    /// @param callback to be called  @param path its first argument
    void Connect(const CallbackBase& callback, const std::string& path)
    {
        Listen().Connect(callback, path);
    }

    /// @param callback to be called
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        Listen().ConnectWithoutContext(callback);
    }

    /// @param callback no longer to be called  @param path as it was connected
    void Disconnect(const CallbackBase& callback, const std::string& path)
    {
        Listen().Disconnect(callback, path);
    }

    /// @param callback no longer to be called
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        Listen().DisconnectWithoutContext(callback);
    }

    /// Tell all listeners. @param packet Ptr to a packet, const or not
    template <typename T>
    void operator()(const Ptr<T>& packet) const
    {
        if (m_listeners)
        {
            (*m_listeners)(packet);
        }
    }

  private:
    using Listeners = TracedCallback<Ptr<const Packet>>; //!< who listens

    /// @return the listeners, if any
    Listeners& Listen()
    {
        if (!m_listeners)
        {
            m_listeners = std::make_unique<Listeners>();
        }
        return *m_listeners;
    }

    std::unique_ptr<Listeners> m_listeners; //!< null until someone listens
};

} // namespace ns3::odcn

#endif /* OCS_PACKET_TRACE_H */
