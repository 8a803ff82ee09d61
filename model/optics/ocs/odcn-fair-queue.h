// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FAIR_QUEUE_H
#define ODCN_FAIR_QUEUE_H

#include "odcn-fair-order.h"

#include "ns3/packet.h"
#include "ns3/queue.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A packet queue in which pairs of a sender and a receiver have fair shares, as in network cards
 * and switches with a queue for each (FairOrder). With the queue full, what comes is dropped.
 *
 * A pair is the two addresses of an IPv4 packet; all other packets are one pair.
 */
class FairQueue : public Queue<Packet>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool Enqueue(Ptr<Packet> packet) override;
    Ptr<Packet> Dequeue() override;
    Ptr<Packet> Remove() override;
    Ptr<const Packet> Peek() const override;

  protected:
    void DoDispose() override;

  private:
    FairOrder<ConstIterator> m_order; //!< of what waits
};

} // namespace ns3::odcn

#endif /* ODCN_FAIR_QUEUE_H */
