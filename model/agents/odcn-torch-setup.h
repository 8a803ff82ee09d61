// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TORCH_SETUP_H
#define ODCN_TORCH_SETUP_H

#include <cstdint>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Configure LibTorch and its BLAS for small networks, once per process, before their first use: one
 * thread each (results then do not depend on the number of cores), and WidenBlas().
 */
void SetUpTorch();

/**
 * @ingroup odcn
 *
 * Select OpenBLAS's kernel again if it is narrower than the processor's vectors: version 0.3.21
 * falls back to SSE3 on processors newer than itself. A kernel that the user selected with
 * OPENBLAS_CORETYPE is kept, and another BLAS is not changed.
 */
void WidenBlas();

/// @param stream number of an ns-3 random stream; -1: chosen by ns-3
/// @return a seed for LibTorch's generator, which depends on ns-3's seed and run
uint64_t MakeTorchSeed(int64_t stream);

/// @return the kernel that OpenBLAS uses, e.g. "Haswell"; "unknown" with another BLAS
std::string GetBlasKernel();

} // namespace ns3::odcn

#endif /* ODCN_TORCH_SETUP_H */
