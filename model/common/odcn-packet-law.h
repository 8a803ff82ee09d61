// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_LAW_H
#define ODCN_PACKET_LAW_H

#include "odcn-random-stream.h"
#include "odcn-units.h"

#include "ns3/random-variable-stream.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Recorded packets, as a pattern that flows repeat.
class PacketTrace
{
  public:
    /**
     * @param times of the packets, in any unit, not falling. The gap from the last packet to the
     * first one of the next turn is the mean of the others
     * @param bytes sizes of the packets, IPv4 and UDP headers included
     * @throws OdcnError when there are not as many sizes, a time falls, or all times are the same
     */
    PacketTrace(const std::vector<double>& times, std::vector<uint32_t> bytes);

    /**
     * Read a CSV file with a packet per line: its time (in any unit, not falling) and its size in
     * bytes. A first line that begins with a letter is a heading.
     *
     * @param path file to read
     * @return the packets
     * @throws OdcnError when a line is not of that form, or as the constructor
     */
    static std::shared_ptr<const PacketTrace> Read(const std::string& path);

    std::vector<double> gaps;    //!< from each packet to the next, cyclically
    std::vector<uint32_t> bytes; //!< sizes
    double period{0};            //!< sum of gaps
    double traffic{0};           //!< sum of sizes, bytes
};

/// What every flow of an application sends: see JobFlowApplication's Attributes.
struct PacketLaw
{
    /// How packets are spaced; see PacketSource.
    enum Arrivals
    {
        POISSON,       //!< exponential gaps
        DETERMINISTIC, //!< equal gaps
        ON_OFF,        //!< equal gaps in on periods, nothing in off periods
        TRACE          //!< recorded gaps and sizes
    };

    Arrivals arrivals{POISSON};               //!< how packets are spaced
    int64_t onTime{0};                        //!< mean on period, time steps
    int64_t offTime{0};                       //!< mean off period, time steps
    std::shared_ptr<const PacketTrace> trace; //!< for TRACE
    Ptr<RandomVariableStream> sizes;          //!< pattern of packet sizes; null for one size
    Ptr<RandomVariableStream> bursts;         //!< pattern of packets sent at once; null for 1
    uint32_t least{1};                        //!< smallest size that may occur, bytes
    uint32_t greatest{65535};                 //!< largest size that may occur, bytes

    /// @throws OdcnError when a value is out of range or two of them contradict each other
    void Check() const;
};

/**
 * @ingroup odcn
 *
 * The packets that one flow sends: when, how many at once, and of which sizes. Shared by
 * JobFlowApplication and PacketFabric, so that both see the same traffic.
 *
 * Let g be the flow's mean gap, 8 x bytes / rate. After sending b packets at once, the gap to the
 * next is
 *
 * - Poisson: exponential with mean b g;
 * - deterministic: b g, the first one a uniformly distributed share of g;
 * - on/off: on and off periods are exponential with means onTime and offTime, and the first period
 *   is drawn from the stationary distribution. Only on time counts towards the gap of
 *   b g onTime / (onTime + offTime), so the mean rate holds;
 * - trace: the recorded gap, scaled so that the mean rate holds. A flow begins at a uniformly
 *   distributed place and starts over at the end.
 *
 * Gaps are rounded to time steps, and rounding errors do not add up. All random numbers of a flow
 * come from three streams: gaps from stream s, sizes from s + SIZE_STREAMS and bursts from
 * s + BURST_STREAMS, of variables that are copied from the patterns by their Attributes.
 *
 * Copies share the variables of sizes and bursts.
 */
class PacketSource
{
  public:
    /// From the stream of a flow's gaps to that of its sizes.
    static constexpr int64_t SIZE_STREAMS = int64_t(1) << 40;
    /// From the stream of a flow's gaps to that of its bursts.
    static constexpr int64_t BURST_STREAMS = int64_t(1) << 41;
    /// Most packets at once.
    static constexpr uint32_t MAX_BURST = 1 << 16;
    /// Largest mean gap in time steps, so that times do not overflow.
    static constexpr double MAX_MEAN_GAP = 1e17;

    /**
     * @param law what the flow sends
     * @param stream random stream of its gaps; negative for automatic streams
     * @throws OdcnError when the law is refused or a pattern has no Attributes to copy
     */
    PacketSource(const PacketLaw& law, int64_t stream);

    /// @param stream random stream of the gaps; negative for automatic streams
    void AssignStreams(int64_t stream);

    /**
     * A flow begins. The random streams go on from where the flow before left them.
     *
     * @param meanGap g, the mean time between packets of @p bytes, time steps
     * @param bytes size of a packet where sizes are not drawn, else their mean
     * @return time steps until it first sends
     * @throws OdcnError when a value is out of range
     */
    int64_t Start(double meanGap, uint32_t bytes);

    /// @param packets how many were sent at once  @return time steps until the flow sends again
    int64_t NextGap(uint32_t packets)
    {
        if (m_arrivals == PacketLaw::POISSON)
        {
            return static_cast<int64_t>(DrawExponential(packets * m_meanGap) + 0.5);
        }
        return NextRegularGap(packets);
    }

    /// @return whether sizes differ from packet to packet
    bool DrawsSizes() const
    {
        return m_drawsSizes;
    }

    /**
     * @return size of the next packet, bytes
     * @throws OdcnError when a size out of bounds was drawn
     */
    uint32_t NextSize()
    {
        return m_drawsSizes ? DrawSize() : m_bytes;
    }

    /**
     * @return how many packets to send at once
     * @throws OdcnError when the number drawn is not 1 to MAX_BURST
     */
    uint32_t NextBurst()
    {
        return m_bursts ? DrawBurst() : 1;
    }

    /**
     * @param rate mean rate in bit/s, above 0
     * @param bytes mean packet size
     * @param second time steps of a second
     * @return mean gap in time steps
     */
    static double MeanGap(BitRate rate, uint32_t bytes, double second = 1e12)
    {
        return 8.0 * bytes * second / static_cast<double>(rate);
    }

  private:
    /// @param mean of the distribution  @return what ExponentialRandomVariable draws
    double DrawExponential(double mean)
    {
        return -mean * std::log(m_random.NextU01());
    }

    /// @param stream of the gaps, to which those of the variables belong
    void SetVariableStreams(int64_t stream);
    /// @param packets as for NextGap()  @return as NextGap(), of all laws but Poisson
    int64_t NextRegularGap(uint32_t packets);
    /// @param gap exact gap  @return it in time steps, with what earlier rounding left
    int64_t RoundCarrying(double gap);
    /// @param onTime time to spend in on periods  @return it with the off periods that fall into it
    double AddOffPeriods(double onTime);
    /// @return size of the next packet
    uint32_t DrawSize();
    /// @return packets of the next burst
    uint32_t DrawBurst();

    RandomStream m_random;                      //!< of gaps
    Ptr<RandomVariableStream> m_sizes;          //!< draws sizes; null if not drawn
    Ptr<RandomVariableStream> m_bursts;         //!< draws bursts; null for 1
    std::shared_ptr<const PacketTrace> m_trace; //!< for TRACE
    double m_meanGap{0};                        //!< between packets, time steps
    double m_onTime;                            //!< mean on period, time steps
    double m_offTime;                           //!< mean off period, time steps
    double m_left{0};                           //!< of the on period, time steps
    double m_carry{0};                          //!< what rounding has left, time steps
    uint32_t m_gapIndex{0};                     //!< in the trace: gap to come
    uint32_t m_sizeIndex{0};                    //!< in the trace: packet to come
    uint32_t m_bytes{0};                        //!< size of packets, if not drawn
    uint32_t m_least;                           //!< smallest size
    uint32_t m_greatest;                        //!< largest size
    PacketLaw::Arrivals m_arrivals;             //!< how packets are spaced
    bool m_drawsSizes;                          //!< whether sizes differ
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_LAW_H */
