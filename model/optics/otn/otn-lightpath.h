// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_LIGHTPATH_H
#define OTN_LIGHTPATH_H

#include "ns3/nstime.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/ocs-net-device.h"
#include "ns3/odcn-rank-arrivals.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * An optical connection of two transponders over fibres and transparent nodes. To ns-3 it is a
 * Channel with two NetDevices.
 *
 * The latency of a packet is exactly its serialisation, the O-E-O time of both ends, and the
 * propagation on all fibres. Packets sent while the lightpath is not up are lost, and so are those
 * that have not passed a fibre when it is cut.
 *
 * Counters (packets, both directions): entered = delivered + dropped by cause + in flight. A packet
 * enters with its first bit.
 */
class OtnLightpath : public OcsMedium
{
  public:
    /// States of a lightpath.
    enum State
    {
        DOWN, //!< not set up
        DARK, //!< being set up
        UP,   //!< carries packets
        CUT,  //!< a fibre of the path is cut
    };

    /// The path in one direction.
    struct Way
    {
        std::vector<uint32_t> fibers; //!< fibres in order
        std::vector<Time> passed;     //!< time from sending a bit until it has passed each fibre
        Time latency;                 //!< time from sending a bit until it is delivered
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    OtnLightpath();
    ~OtnLightpath() override;

    /**
     * Join two transponders.
     * @param a device at end 0
     * @param b device at end 1
     */
    void Connect(Ptr<OcsNetDevice> a, Ptr<OcsNetDevice> b);

    /**
     * Let the transponders be on different ranks (RankArrivals). Such a lightpath is set up before
     * the run, and stays.
     */
    void Divide();

    /// @return the state
    State GetState() const
    {
        return m_state;
    }

    /// @param end 0 or 1  @return the fibres from there to the other end; none when down
    const std::vector<uint32_t>& GetFibers(uint32_t end) const;

    /// @param end 0 or 1  @return time from the last bit's departure there to its arrival
    Time GetLatency(uint32_t end) const;

    /// @param end 0 or 1  @return the device there
    Ptr<OcsNetDevice> GetTransponder(uint32_t end) const
    {
        return m_ways.at(end).device;
    }

    /// @return packets whose first bit has entered
    uint64_t GetEntered() const
    {
        return m_entered;
    }

    /// @return packets delivered to the transponder at the far end
    uint64_t GetDelivered() const
    {
        return m_delivered;
    }

    /// @return packets in flight; between ranks the sum over all ranks, modulo 2^64
    uint64_t GetInFlight() const;

    /// @return packets lost, by cause
    const OcsDropCounts& GetDropped() const
    {
        return m_dropped;
    }

    // Called by OtnNetwork.

    /// Start to set up; the lightpath is dark. @param there from end 0  @param back from end 1
    void Prepare(const Way& there, const Way& back);

    /// Change from dark to up. @return false when it was not dark
    bool Light();

    /// A fibre of the path is cut, in either direction. @param fibers all that are cut
    void Cut(const std::vector<uint32_t>& fibers);

    /// All cuts of the path are repaired: change from cut to up, or to dark if the path was being
    /// set up when it was cut. @return whether it is up
    bool Mend();

    /// Tear down. Packets in flight are lost.
    void Stop();

    // Called by devices and by ns-3.

    void SetContext(uint32_t end, uint32_t context) override
    {
        m_ways[end].context = context;
    }

    uint32_t FirstBit(uint32_t end, const Ptr<Packet>& packet, const Time& txTime) override;
    void LastBit(uint32_t end, const Ptr<Packet>& packet, bool whole) override;
    std::size_t GetNDevices() const override;

    Ptr<NetDevice> GetDevice(std::size_t i) const override
    {
        return m_ways.at(i).device;
    }

    /**
     * TracedCallback signature of Drop.
     * @param packet the packet
     * @param cause cause of the loss
     */
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, OcsDropCause cause);

  protected:
    void DoDispose() override;

  private:
    /// A packet whose last bit has left.
    struct Flight
    {
        Ptr<Packet> packet; //!< the packet
        bool whole{true};   //!< false if the packet is truncated
        Time left;          //!< when the last bit left
    };

    /// One direction.
    struct Direction
    {
        Ptr<OcsNetDevice> device;           //!< sending transponder
        uint32_t context{NO_CONTEXT};       //!< id of its node
        Way way;                            //!< the path
        Ptr<Packet> leaving;                //!< packet in transmission, unless lost
        uint64_t next{0};                   //!< number of the next flight
        std::map<uint64_t, Flight> flights; //!< packets in flight by number
        Ptr<RankArrivals> arrivals;         //!< at the sending transponder; after Divide()
    };

    /// The last bit arrives. @param end sending end  @param number of the flight
    void Deliver(uint32_t end, uint64_t number);

    /// A packet from another rank. @param lightpath this  @param end where it is received
    /// @param packet packet
    static void ReceiveRemote(OtnLightpath* lightpath, uint32_t end, Ptr<Packet> packet);

    /// The last bit has arrived, or is announced. @param end where  @param flight the packet
    void Receive(uint32_t end, const Flight& flight);

    /// @return whether the transponders are on different ranks
    bool JoinsRanks() const;

    /// @param change what happens  @throws OdcnError when the transponders are on different ranks,
    /// and the run has begun
    void CheckOneRank(const char* change) const;

    /// @return what ns-3's distributed simulators take for the delay of a channel
    Time GetLookAhead() const;

    /// @param packet lost packet  @param cause cause of the loss
    void Drop(Ptr<const Packet> packet, OcsDropCause cause);

    /**
     * Drop several, after all other changes of the state, since a sink may send or set up.
     * @param packets lost packets
     * @param cause cause of the loss
     */
    void DropAll(const std::vector<Ptr<Packet>>& packets, OcsDropCause cause);

    std::array<Direction, 2> m_ways; //!< directions by sending end
    bool m_wasUp{false};             //!< whether it was up before the cut
    State m_state{DOWN};             //!< present state
    uint64_t m_entered{0};           //!< packets entered
    uint64_t m_delivered{0};         //!< packets delivered
    uint64_t m_remote{0};            //!< packets to, less those from, another rank
    OcsDropCounts m_dropped;         //!< packets lost, by cause
    TracedCallback<Ptr<const Packet>, OcsDropCause> m_dropTrace; //!< Drop
};

} // namespace ns3::odcn

#endif /* OTN_LIGHTPATH_H */
