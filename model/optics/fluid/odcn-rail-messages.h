// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RAIL_MESSAGES_H
#define ODCN_RAIL_MESSAGES_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Servers with several accelerators and several network cards. Card r of each server is on rail r,
 * a network of its own; the accelerators of a server are joined by its scale-up domain. End points
 * are accelerators, server by server: accelerator g of server s is s x accelerators + g, and uses
 * card g mod R, so that a collective chooses its cards by the places of its ranks.
 *
 * A message
 * - to the same server takes the scale-up domain (SCALE_UP);
 * - to an accelerator of the same card in another server takes that card's rail (RAIL);
 * - to one of another card goes first, as a whole, to the accelerator of the receiver's index in
 *   the sender's server, and then takes the receiver's rail (RELAYED), as NCCL does by its PXN.
 *
 * A rail is any MessagePlane whose end point s is that rail's card of server s: with packets, host
 * s of a fabric of its own. The scale-up domain is a SwitchFlowLevel, or any plane with the same
 * end points as this one.
 *
 * At any time, messages (and bytes) sent are those of the three routes together.
 */
class RailMessages : public MessagePlane
{
  public:
    /// Way of a message.
    enum Route
    {
        SCALE_UP, //!< within a server
        RAIL,     //!< over a rail
        RELAYED,  //!< within the sender's server, then over a rail
    };

    /// Number of values of Route.
    static constexpr std::size_t ROUTES = 3;

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Set the networks, before the first message.
     * @param rails one plane for each card of a server, with one end point for each server
     * @param accelerators of each server, at least as many as rails
     * @param scaleUp joins the accelerators of each server; null for a SwitchFlowLevel with
     * ScaleUpRate and ScaleUpLatency
     * @throws OdcnError when they do not fit together
     */
    void SetPlanes(std::vector<Ptr<MessagePlane>> rails,
                   uint32_t accelerators,
                   Ptr<MessagePlane> scaleUp = nullptr);

    uint32_t GetNEndPoints() const override
    {
        return m_scaleUp ? m_scaleUp->GetNEndPoints() : 0;
    }

    /// @return that of the rails
    FabricEngine GetEngine() const override;

    /// @param from an accelerator
    /// @param to another one
    /// @return how messages go from one to the other
    Route GetRoute(uint32_t from, uint32_t to) const;

    /// @param route of messages
    /// @return messages that took it, by state
    Counts CountMessagesOf(Route route) const;

    /// @param route of messages
    /// @return bytes of messages that took it, by state
    Counts CountBytesOf(Route route) const;

    /// Signature of Routed.
    /// @param message the message
    /// @param route its way
    typedef void (*RoutedTracedCallback)(const Message& message, Route route);

  protected:
    void DoDispose() override;
    void DoSend(const Message& message) override;
    std::string FindObstacle(const Message& message) const override;

  private:
    /// Messages and bytes that took a route.
    struct Totals
    {
        uint64_t sent{0};           //!< messages sent
        uint64_t delivered{0};      //!< messages delivered
        uint64_t sentBytes{0};      //!< bytes of those sent
        uint64_t deliveredBytes{0}; //!< bytes of those delivered
    };

    /// @param accelerator its number
    /// @return number of its card, and of the rail
    std::size_t GetRail(uint32_t accelerator) const
    {
        return accelerator % m_accelerators % m_rails.size();
    }

    /// Send over the receiver's rail.
    /// @param message the message
    void SendByRail(const Message& message);
    /// A message has been received.
    /// @param message the message
    void Received(const Message& message);

    DataRate m_scaleUpRate;                 //!< ScaleUpRate
    Time m_scaleUpLatency;                  //!< ScaleUpLatency
    std::vector<Ptr<MessagePlane>> m_rails; //!< by card
    Ptr<MessagePlane> m_scaleUp;            //!< within servers; null before SetPlanes()
    uint32_t m_accelerators{0};             //!< of each server
    std::array<Totals, ROUTES> m_totals{};  //!< by route
    TracedCallback<const Message&, Route> m_routedTrace; //!< trace source Routed
};

} // namespace ns3::odcn

#endif /* ODCN_RAIL_MESSAGES_H */
