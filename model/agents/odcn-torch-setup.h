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
 * thread each, and SelectKernels(), so that results depend neither on the number of cores nor on
 * the processor.
 */
void SetUpTorch();

/**
 * @ingroup odcn
 *
 * Let LibTorch and OpenBLAS use AVX2 on every processor that has it. By default they choose by
 * processor, with other roundings on each, and OpenBLAS 0.3.21 falls back to SSE3 on processors
 * newer than itself. What the user selected with OPENBLAS_CORETYPE or ATEN_CPU_CAPABILITY is kept,
 * and another BLAS is not changed.
 */
void SelectKernels();

/// @param stream number of an ns-3 random stream; -1: chosen by ns-3
/// @return a seed for LibTorch's generator, which depends on ns-3's seed and run
uint64_t MakeTorchSeed(int64_t stream);

/// @return the kernel that OpenBLAS uses, e.g. "Haswell"; "unknown" with another BLAS
std::string GetBlasKernel();

} // namespace ns3::odcn

#endif /* ODCN_TORCH_SETUP_H */
