// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_VALIANT_TRAINS_H
#define ODCN_VALIANT_TRAINS_H

#include "odcn-circuit-flow-level.h"

#include "ns3/random-variable-stream.h"

#include <list>
#include <unordered_map>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Messages in two hops, as packets take with ValiantRouting[Spread=Random]. Their packets travel
 * in trains: from a server to its ToR switch, where each packet draws its transit rack and waits
 * for a circuit there; over that circuit, and over one to the rack of the receiver; then by the
 * port of the receiver, first in, first out. Messages of a server to different receivers take
 * turns packet by packet. Over circuits, packets on their second hop go first.
 *
 * A carrier is a server, or all circuits from one rack to another. One train at a time occupies
 * its link. For FlowLevel a train is a Message with the index of the carrier as sender, receiver
 * and tag, and an even number; an odd one is the end of a message.
 */
class CircuitFlowLevel::ValiantTrains
{
  public:
    /// @param level whose messages these are
    /// @throws OdcnError when a rack has no circuit to another that carries a packet
    explicit ValiantTrains(CircuitFlowLevel& level);

    /// @param stream first stream number to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// Begin a message. @param message the message
    void Send(const Message& message);

    /// A train has left its link.
    /// @param train its number and its carrier; then the next one of the carrier
    /// @return whether there is one
    bool Resume(Message& train);

    /// A train has arrived, or a message. @param number see the class
    void Arrive(uint32_t number);

    /// @param train a train
    /// @param path an empty one, to which to add its path
    void FindPath(const Message& train, Path& path);

  private:
    /// A message in flight.
    struct Job
    {
        Message message{};  //!< the message
        uint64_t unsent{0}; //!< bytes in its server
        uint64_t open{0};   //!< bytes that have not reached the receiver's port
    };

    /// Packets of one message, full ones but its last.
    struct Part
    {
        uint32_t job;     //!< index of the message
        uint32_t packets; //!< their number
        uint64_t bytes;   //!< of data
    };

    /// Packets in the order in which they leave.
    using Parts = std::list<Part>;

    /// Packets that leave together.
    struct Train
    {
        uint32_t packets{0}; //!< their number
        uint64_t wire{0};    //!< bytes, headers included
        Parts parts{};       //!< of messages, in their order
    };

    /// A server, or all circuits from one rack to another.
    struct Carrier
    {
        std::list<uint32_t> turns{}; //!< of a server: messages to different receivers
        Parts relay{};               //!< of circuits: packets on their second hop
        Parts local{};               //!< of circuits: packets on their first hop
        bool isBusy{false};          //!< whether a train occupies its link
    };

    /// A train on its way, and its carrier.
    struct Journey
    {
        uint32_t carrier{0}; //!< index
        Train train{};       //!< the train
    };

    /// @param from a rack
    /// @param to another rack
    /// @return index of the carrier
    uint32_t GetCircuits(RackId from, RackId to) const;
    /// @param carrier index of a carrier
    /// @return racks where its packets start and end, for a server its own
    std::pair<RackId, RackId> GetRacks(uint32_t carrier) const;
    /// @param carrier index of a carrier
    /// @return whether it is a server
    bool IsServer(uint32_t carrier) const;
    /// @param part packets
    /// @return their bytes, headers included
    uint64_t GetWire(const Part& part) const;
    /// Let a train of a carrier occupy its link if none does. @param carrier index
    void Begin(uint32_t carrier);
    /// @param index of a carrier with packets
    /// @param most packets; 0 for an empty train, which waits until there are circuits
    /// @return number of its next train
    uint32_t TakeTrain(uint32_t index, uint32_t most);
    /// Move packets of a server to a train. @param turns messages that send
    /// @param most packets
    /// @param train the train
    void Fill(std::list<uint32_t>& turns, uint32_t most, Train& train);
    /// Move packets to a train. @param parts that wait
    /// @param most packets
    /// @param train the train
    void Fill(Parts& parts, uint32_t most, Train& train) const;
    /// Let a packet draw its transit rack and wait. @param rack where it is
    /// @param packet the packet
    void Spread(RackId rack, const Part& packet);
    /// Packets have reached their receiver's port. @param part the packets
    /// @param arrived when the last one has
    /// @param rate at which they arrive
    void Receive(const Part& part, Time arrived, BitRate rate);

    CircuitFlowLevel& m_level;            //!< see the constructor
    uint32_t m_length;                    //!< most packets of a train
    std::vector<Job> m_jobs;              //!< by index
    std::vector<uint32_t> m_freeJobs;     //!< unused indices
    std::vector<Journey> m_journeys;      //!< by index
    std::vector<uint32_t> m_freeJourneys; //!< unused indices
    std::vector<Carrier> m_carriers;      //!< servers, then circuits [from][to]
    std::vector<uint32_t> m_longer;       //!< carriers of packets that wait since now
    std::vector<Time> m_ports;            //!< when each server's port has sent what waits there
    std::vector<Ptr<UniformRandomVariable>> m_random; //!< transit racks, by rack
    /// Messages by sender and receiver; the first one sends.
    std::unordered_map<uint64_t, std::list<uint32_t>> m_pairs;
};

} // namespace ns3::odcn

#endif /* ODCN_VALIANT_TRAINS_H */
