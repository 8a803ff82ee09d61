// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_LAW_H
#define ODCN_PACKET_LAW_H

#include "ns3/odcn-random-stream.h"
#include "ns3/odcn-units.h"
#include "ns3/random-variable-stream.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// A trace of recorded packets that flows replay cyclically.
class PacketTrace
{
  public:
    /**
     * @param times times of the packets, in any unit, non-decreasing. The gap from the last packet
     * to the first one of the next cycle is the mean of the other gaps
     * @param bytes sizes of the packets, including IPv4 and UDP headers
     * @throws OdcnError when times and sizes differ in number, a time decreases, or all are equal
     */
    PacketTrace(const std::vector<double>& times, std::vector<uint32_t> bytes);

    /**
     * Read a CSV file with one packet per line: its time (in any unit, non-decreasing) and its size
     * in bytes. A first line that begins with a letter is a header.
     *
     * @param path input file
     * @return the packets
     * @throws OdcnError when a line is malformed, or as the constructor
     */
    static std::shared_ptr<const PacketTrace> Read(const std::string& path);

    std::vector<double> gaps;    //!< gaps between consecutive packets, cyclically
    std::vector<double> ends;    //!< end of each gap since the first packet
    std::vector<uint32_t> bytes; //!< z
    double period{0};            //!< sum of the gaps, the last of ends
    double traffic{0};           //!< sum of the sizes, bytes
};

/// Packet law of the flows of an application: see JobFlowApplication's Attributes.
struct PacketLaw
{
    /// Arrival process of the packets; see PacketSource.
    enum Arrivals
    {
        POISSON,       //!< exponential gaps
        DETERMINISTIC, //!< equal gaps
        ON_OFF,        //!< equal gaps in on periods, no packets in off periods
        TRACE          //!< recorded gaps and sizes
    };

    Arrivals arrivals{POISSON};               //!< arrival process of the packets
    int64_t onTime{0};                        //!< mean on period, time steps
    int64_t offTime{0};                       //!< mean off period, time steps
    std::shared_ptr<const PacketTrace> trace; //!< recorded packets, for TRACE
    Ptr<RandomVariableStream> sizes;          //!< template of packet sizes; null for one size
    Ptr<RandomVariableStream> bursts;         //!< template of burst sizes, packets; null for 1
    uint32_t least{1};                        //!< smallest valid packet size, bytes
    uint32_t greatest{65535};                 //!< largest valid packet size, bytes

    /// @throws OdcnError when a value is out of range or values are inconsistent
    void Check() const;
};

/**
 * @ingroup odcn
 *
 * Packet source of one flow: sending times, burst sizes and packet sizes. Shared by
 * JobFlowApplication and PacketFabric, so that both generate the same traffic.
 *
 * Let g be the flow's mean gap, 8 x bytes / rate. After a burst of b packets, the gap to the next
 * burst is
 *
 * - Poisson: exponential with mean b g;
 * - deterministic: b g;
 * - on/off: on and off periods are exponential with means onTime and offTime, and the first period
 *   is drawn from the stationary distribution. Only on time counts towards the gap of
 *   b g onTime / (onTime + offTime), which preserves the mean rate;
 * - trace: the recorded gap, scaled to preserve the mean rate. The trace is repeated cyclically.
 *
 * A flow has its mean rate from its start on, since it begins at a random time of a process that
 * has always been running: a trace at a time that is uniformly distributed over its period; the
 * other laws within the gap after a burst whose size b is drawn with probabilities in proportion
 * to b, as long gaps cover more time. Of such a gap a uniformly distributed part is left; of an
 * exponential one, all of it.
 *
 * Gaps are rounded to time steps without accumulating rounding errors. The random numbers of a flow
 * come from three streams: gaps from stream s, sizes from s + SIZE_STREAMS and bursts from
 * s + BURST_STREAMS. The variables are copies of the law's templates, made through Attributes.
 *
 * Copies of a source share the variables of sizes and bursts.
 */
class PacketSource
{
  public:
    /// Offset from the stream of a flow's gaps to that of its sizes.
    static constexpr int64_t SIZE_STREAMS = int64_t(1) << 40;
    /// Offset from the stream of a flow's gaps to that of its bursts.
    static constexpr int64_t BURST_STREAMS = int64_t(1) << 41;
    /// Largest burst, packets.
    static constexpr uint32_t MAX_BURST = 1 << 16;
    /// Largest mean gap in time steps, to avoid overflow of times.
    static constexpr double MAX_MEAN_GAP = 1e17;

    /**
     * @param law packet law of the flow
     * @param stream random stream of its gaps; negative for automatic streams
     * @throws OdcnError when the law is invalid or a template cannot be copied
     */
    PacketSource(const PacketLaw& law, int64_t stream);

    /// @param stream random stream of the gaps; negative for automatic streams
    void AssignStreams(int64_t stream);

    /**
     * Start a flow. The random streams continue after those of the previous flow.
     *
     * @param meanGap g, the mean time between packets of @p bytes, time steps
     * @param bytes packet size, or mean packet size if sizes are drawn
     * @return time steps until the first burst
     * @throws OdcnError when a value is out of range
     */
    int64_t Start(double meanGap, uint32_t bytes);

    /// @param packets size of the last burst  @return time steps until the next burst
    int64_t NextGap(uint32_t packets)
    {
        if (m_arrivals == PacketLaw::POISSON)
        {
            return static_cast<int64_t>(DrawExponential(packets * m_meanGap) + 0.5);
        }
        return NextRegularGap(packets);
    }

    /// @return whether packet sizes are drawn
    bool DrawsSizes() const
    {
        return m_drawsSizes;
    }

    /**
     * @return size of the next packet, bytes
     * @throws OdcnError when the drawn size is out of range
     */
    uint32_t NextSize()
    {
        return m_drawsSizes ? DrawSize() : m_bytes;
    }

    /**
     * @return size of the next burst, packets
     * @throws OdcnError when the drawn number is not in 1 to MAX_BURST
     */
    uint32_t NextBurst()
    {
        return m_bursts ? DrawBurst() : 1;
    }

    /**
     * @param rate mean rate in bit/s, above 0
     * @param bytes mean packet size
     * @param second time steps per second
     * @return mean gap in time steps
     */
    static double MeanGap(BitRate rate, uint32_t bytes, double second = 1e12)
    {
        return 8.0 * bytes * second / static_cast<double>(rate);
    }

  private:
    /// @param mean mean of the distribution  @return the value that ExponentialRandomVariable draws
    double DrawExponential(double mean)
    {
        return -mean * std::log(m_random.NextU01());
    }

    /// Assign the streams of sizes and bursts. @param stream stream of the gaps
    void SetVariableStreams(int64_t stream);
    /// NextGap() of the laws other than Poisson. @param packets last burst  @return time steps
    int64_t NextRegularGap(uint32_t packets);
    /// @param gap exact gap  @return gap in time steps, corrected for earlier rounding
    int64_t RoundCarrying(double gap);
    /// @param onTime time to spend in on periods  @return this time plus the off periods within it
    double AddOffPeriods(double onTime);
    /// @return size of the next packet
    uint32_t DrawSize();
    /// @return size of the next burst, packets
    uint32_t DrawBurst();
    /// @return size of the burst in whose gap a flow begins, packets: see PacketSource
    uint32_t DrawBurstByTime();

    RandomStream m_random;                      //!< draws gaps
    Ptr<RandomVariableStream> m_sizes;          //!< draws sizes; null if not drawn
    Ptr<RandomVariableStream> m_bursts;         //!< draws bursts; null for 1
    std::shared_ptr<const PacketTrace> m_trace; //!< recorded packets, for TRACE
    double m_meanGap{0};                        //!< mean gap, or TRACE: scale; time steps
    double m_onTime;                            //!< mean on period, time steps
    double m_offTime;                           //!< mean off period, time steps
    double m_left{0};                           //!< remainder of the on period, time steps
    double m_carry{0};                          //!< accumulated rounding error, time steps
    uint32_t m_gapIndex{0};                     //!< index of the next gap in the trace
    uint32_t m_sizeIndex{0};                    //!< index of the next packet in the trace
    uint32_t m_bytes{0};                        //!< packet size, if not drawn
    uint32_t m_least;                           //!< smallest valid size
    uint32_t m_greatest;                        //!< largest valid size
    double m_largestBurst;                      //!< no burst has more packets
    PacketLaw::Arrivals m_arrivals;             //!< arrival process
    bool m_drawsSizes;                          //!< whether packet sizes are drawn
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_LAW_H */
