// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_REQUEST_GENERATOR_H
#define RDDC_REQUEST_GENERATOR_H

#include "rddc-request.h"

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Random requests. The defaults are those of section 5.A of the NARA paper for 64 servers of 16
 * units. Each quantity has its own random variable; CPU, memory and holding time are drawn as
 * integers.
 */
class RddcRequestGenerator : public RddcRequestSource
{
  public:
    /// The largest request by default: eight servers of 16 units.
    static constexpr uint32_t LARGEST = 128;

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Draw the next request.
     * @param [out] request the request; unchanged at the end
     * @return false at the end
     * @throw OdcnError when a variable yields an invalid value
     */
    bool Next(RddcRequest& request) override;

    /**
     * Uses four streams, in the order of the Attributes Gap, Cpu, Memory, Holding.
     * @copydoc Source::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * The longest holding time h that gives a load: requests need U{1..r} units, arrive once per
     * time unit and hold for U{1..h}. The mean holding time is approximated by h / 2, so that 64
     * servers of 16 units at load 0.95 give h = 30.
     *
     * @param load offered units over capacity, above 0
     * @param capacity total units of one resource
     * @param largest r, the largest request
     * @return h, at least 1
     */
    static uint32_t GetLongestHolding(double load, uint64_t capacity, uint32_t largest);

  private:
    Ptr<RandomVariableStream> m_gap;     //!< gap before a request
    Ptr<RandomVariableStream> m_cpu;     //!< r_cpu
    Ptr<RandomVariableStream> m_memory;  //!< r_mem
    Ptr<RandomVariableStream> m_holding; //!< r_t
    uint64_t m_next{0};                  //!< number of the next request
};

} // namespace ns3::odcn

#endif /* RDDC_REQUEST_GENERATOR_H */
