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

TEST(TorchSetup, BlasIsAsWideAsTheProcessor)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !Choose("Prescott"))
    {
        GTEST_SKIP() << "not OpenBLAS, or a processor without wide vectors";
    }
    // The user's choice is kept.
    WidenBlas();
    EXPECT_EQ(GetBlasKernel(), "Prescott");
    // OpenBLAS's fallback for an unknown processor is replaced.
    unsetenv("OPENBLAS_CORETYPE");
    WidenBlas();
    const std::string kernel = GetBlasKernel();
    EXPECT_TRUE(kernel == "SkylakeX" || kernel == "Haswell") << kernel;
    EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr);
#else
    GTEST_SKIP() << "not x86-64";
#endif
}
