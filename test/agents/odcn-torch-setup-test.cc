// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-torch-setup.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace ns3::odcn;

namespace
{

/// Make OpenBLAS choose its kernel by OPENBLAS_CORETYPE. @return whether it is OpenBLAS and did
bool
Choose(const char* kernel)
{
    auto quit = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "gotoblas_dynamic_quit"));
    auto init = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "gotoblas_dynamic_init"));
    setenv("OPENBLAS_CORETYPE", kernel, 1);
    if (quit && init)
    {
        quit();
        init();
    }
    return GetBlasKernel() == kernel;
}

} // namespace

TEST(TorchSetup, BlasIsTheSameOnAllProcessors)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !Choose("Prescott"))
    {
        GTEST_SKIP() << "not OpenBLAS, or a processor without wide vectors";
    }
    // The user's choice is kept.
    SelectKernels();
    EXPECT_EQ(GetBlasKernel(), "Prescott");
    // What OpenBLAS chooses by processor is replaced: its fallback, and wider vectors.
    for (const char* kernel : {"Prescott", "SkylakeX", "Zen"})
    {
        Choose(kernel);
        unsetenv("OPENBLAS_CORETYPE");
        SelectKernels();
        EXPECT_EQ(GetBlasKernel(), "Haswell") << "instead of " << kernel;
    }
    EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr);
#else
    GTEST_SKIP() << "not x86-64";
#endif
}
