// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_BUNDLE_H
#define ODCN_CIRCUIT_BUNDLE_H

#include "odcn-arrival-bank.h"
#include "odcn-fifo-queue.h"
#include "odcn-random-buffer.h"

#include "ns3/odcn-latency-histogram.h"
#include "ns3/odcn-packet-law.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/// How packets spread over the circuits of a bundle.
enum OdcnBundleSpreading
{
    ODCN_BUNDLE_RANDOM, //!< at random, each packet anew
    ODCN_BUNDLE_IN_TURN //!< in turn
};

/// What became of a flow's packets; what all of them change has a cache line of its own.
struct alignas(64) OdcnFlowTally
{
    /// log2 of the bins of an octave: quantiles are off by at most 1 / 32.
    static constexpr int SUB_BITS = 4;

    OdcnLatencyHistogram latency{SUB_BITS}; //!< wait and transmission of accepted packets
    uint64_t lost{0};                       //!< packets that found no room

    /// @return packets that arrived
    uint64_t GetOffered() const
    {
        return lost + latency.GetCount();
    }
};

/// One packet on its way through a bundle.
struct OdcnBundlePacket
{
    int64_t time;      //!< arrival in ps
    int64_t departure; //!< when its last bit has left, in ps; OdcnFifoQueue::DROPPED if it is lost
    uint32_t stream;   //!< number of its flow
    uint32_t circuit;  //!< which circuit took it

    /// @param o other  @return whether all members are equal
    bool operator==(const OdcnBundlePacket& o) const = default;
};

/**
 * @ingroup odcn
 *
 * One bundle of parallel circuits fed by Poisson flows, packet by packet without events: the
 * uplinks of a rack that lead to the same other rack, if the racks' servers would send straight
 * into them. Arrivals are drawn, ordered, offered and counted block by block, in the cache.
 *
 * A bundle depends on nothing outside, so that bundles may run in parallel; see RunBundles(). It
 * can be copied.
 */
class OdcnCircuitBundle
{
  public:
    /**
     * @param rate speed of a circuit in bit/s
     * @param circuits how many there are, above 0
     * @param limit how much may wait for each of them
     * @param unit what @p limit counts
     * @throws OdcnError when a value is out of range
     */
    explicit OdcnCircuitBundle(BitRate rate,
                               uint32_t circuits = 1,
                               uint32_t limit = 15,
                               OdcnFifoUnit unit = ODCN_FIFO_PACKETS);

    /**
     * Set how packets spread; without it, in turn.
     *
     * @param spreading how
     * @param stream ns-3 random stream to draw circuits from, as TorSwitch::AssignStreams() takes
     */
    void SetSpreading(OdcnBundleSpreading spreading, int64_t stream = 0);

    /**
     * Add a flow, which begins at once. A bundle that has run takes no more flows.
     *
     * @param stream ns-3 random stream of its gaps
     * @param rate its mean rate in bit/s, above 0
     * @param bytes size of its packets, or mean size that the rate is reckoned with
     * @param law how many packets it sends at a time, and of which sizes
     * @return its number, 0 for the first one
     * @throws OdcnError when a value is out of range or the bundle has run
     */
    uint32_t AddFlow(int64_t stream,
                     BitRate rate,
                     uint32_t bytes,
                     const OdcnPacketLaw& law = OdcnPacketLaw());

    /// @param until time in ps: all packets that arrive before it are run
    void Run(int64_t until);

    /**
     * Run(), telling every packet.
     *
     * @param until as there
     * @param [out] packets are appended
     */
    void Run(int64_t until, std::vector<OdcnBundlePacket>& packets);

    /// Forget what was counted, not what is on its way: the end of a warm-up.
    void ClearTallies();

    /// @param flow number of a flow  @return what became of its packets
    const OdcnFlowTally& GetTally(uint32_t flow) const;

    /// @return what became of all packets
    OdcnFlowTally GetTotal() const;

    /// @return number of flows
    uint32_t GetNFlows() const;

    /// @return number of circuits
    uint32_t GetNCircuits() const;

    /// @return what draws the packets
    OdcnArrivalBank& GetBank()
    {
        return m_bank;
    }

    /**
     * Run bundles side by side; the result does not depend on the number of threads.
     *
     * @param bundles the bundles
     * @param until as for Run()
     * @param threads how many threads, 1 or more
     */
    static void RunBundles(std::vector<OdcnCircuitBundle>& bundles,
                           int64_t until,
                           uint32_t threads);

  private:
    /// Run a block of equal packets with a limit in packets. @param [out] packets may be null
    void RunEqual(std::vector<OdcnBundlePacket>* packets);

    /// Run a block. @param [out] packets may be null
    void RunAny(std::vector<OdcnBundlePacket>* packets);

    /// @param until as for Run()  @param [out] packets may be null
    void DoRun(int64_t until, std::vector<OdcnBundlePacket>* packets);

    /// @return the circuit of the next packet
    uint32_t Choose()
    {
        if (m_nCircuits == 1)
        {
            return 0;
        }
        if (m_spreading == ODCN_BUNDLE_RANDOM)
        {
            return m_random.NextInteger(m_nCircuits);
        }
        return m_turn++ % m_nCircuits;
    }

    uint32_t m_nCircuits;                                 //!< number of circuits
    uint32_t m_limit;                                     //!< of what waits
    OdcnFifoUnit m_unit;                                  //!< of the limit
    OdcnBundleSpreading m_spreading{ODCN_BUNDLE_IN_TURN}; //!< how packets spread
    OdcnRandomBuffer m_random{OdcnRandomStream(1, 0, 0)}; //!< of the spreading
    uint32_t m_turn{0};                                   //!< of the spreading, too
    OdcnArrivalBank m_bank;                               //!< draws
    OdcnArrivalBlock m_block;                             //!< what it drew
    bool m_equal{true};                                   //!< whether all packets are of one size
    bool m_hasRun{false};                                 //!< whether it has run
    std::vector<OdcnFifoQueue> m_queues; //!< by circuit; unused if m_equal and the unit is packets
    std::vector<int64_t> m_free;         //!< by circuit, if so: when the last packet will have left
    std::vector<OdcnFlowTally> m_tallies; //!< by flow
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_CIRCUIT_BUNDLE_H */
