// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TORCH_SETUP_H
#define ODCN_TORCH_SETUP_H

#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Make LibTorch and its BLAS fit for small networks, once a process, before their first use: one
 * thread each (results then do not depend on the number of cores), and WidenBlas().
 */
void SetUpTorch();

/**
 * @ingroup odcn
 *
 * Choose OpenBLAS's kernel anew where it chose one narrower than the processor's vectors: 0.3.21
 * falls back to SSE3 on processors newer than itself. What the user chose by OPENBLAS_CORETYPE
 * stays, and another BLAS is left alone.
 */
void WidenBlas();

/// @return the kernel that OpenBLAS uses, "Haswell" or so; "unknown" with another BLAS
std::string GetBlasKernel();

} // namespace ns3::odcn

#endif /* ODCN_TORCH_SETUP_H */
