// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-random-buffer.h"

#include <cstddef>

namespace ns3
{
namespace odcn
{

OdcnRandomBuffer::OdcnRandomBuffer(const OdcnRandomStream& random, const OdcnArrivalKernel& kernel)
    : m_random(random),
      m_kernel(kernel)
{
    m_numbers.fill(0);
}

void
OdcnRandomBuffer::Fill()
{
    // Each lane draws a stretch of its own, and they lie one behind another.
    alignas(64) double state[6][OdcnArrivalLanes::WIDTH];
    for (uint32_t lane = 0; lane < OdcnArrivalLanes::WIDTH; ++lane)
    {
        for (std::size_t i = 0; i < m_random.GetState().size(); ++i)
        {
            state[i][lane] = m_random.GetState()[i];
        }
        m_random.Skip(STEPS);
    }
    m_kernel.DrawNumbers(state, STEPS, m_numbers.data());
    m_next = 0;
}

} // namespace odcn
} // namespace ns3
