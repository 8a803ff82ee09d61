// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-arrival-lanes.h"

#include "odcn-random-stream.h"

#include <algorithm>
#include <cmath>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define ODCN_WIDE_VECTORS 1
#include <immintrin.h>
#else
#define ODCN_WIDE_VECTORS 0
#endif

namespace ns3
{
namespace odcn
{

namespace
{

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3,fp-contract=fast")
#endif

#define ODCN_KERNEL lanes2
#define ODCN_LANES 2
#include "odcn-arrival-kernel.h"
#undef ODCN_KERNEL
#undef ODCN_LANES

#if ODCN_WIDE_VECTORS
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define ODCN_KERNEL lanes4
#define ODCN_LANES 4
#include "odcn-arrival-kernel.h"
#undef ODCN_KERNEL
#undef ODCN_LANES
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,fma,popcnt,prefer-vector-width=512")
#define ODCN_KERNEL lanes8
#define ODCN_LANES 8
#define ODCN_COMPRESS Compress

/// Write the active lanes of a vector one after another. @return how many there are
static inline uint32_t
Compress(__m512i active, __m512i packet, uint64_t* out)
{
    const __mmask8 mask = _mm512_test_epi64_mask(active, active);
    // Not the store that compresses: some processors take a hundred cycles for it.
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(mask, packet));
    return static_cast<uint32_t>(__builtin_popcount(mask));
}

#include "odcn-arrival-kernel.h"
#undef ODCN_KERNEL
#undef ODCN_LANES
#undef ODCN_COMPRESS
#pragma GCC pop_options
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

} // namespace

OdcnArrivalKernel::OdcnArrivalKernel([[maybe_unused]] Width width)
    : m_width(NARROW),
      m_draw(&lanes2::Draw),
      m_numbers(&lanes2::Numbers)
{
#if ODCN_WIDE_VECTORS
    __builtin_cpu_init();
    if (width >= AVX512 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    {
        m_width = AVX512;
        m_draw = &lanes8::Draw;
        m_numbers = &lanes8::Numbers;
    }
    else if (width >= AVX2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    {
        m_width = AVX2;
        m_draw = &lanes4::Draw;
        m_numbers = &lanes4::Numbers;
    }
#endif
}

} // namespace odcn
} // namespace ns3
