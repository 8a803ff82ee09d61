// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-torch-setup.h"

#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"

#include <ATen/Parallel.h>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("TorchSetup");

namespace
{

/// OpenBLAS's kernel for AVX2.
constexpr const char* KERNEL = "Haswell";

/// @param name an exported function of OpenBLAS  @return the function; null if there is none
template <typename F>
F*
Find(const char* name)
{
    return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
}

/// @return whether the processor has the vectors of AVX2, with which all results are made
bool
HasAvx2()
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

/// Keep the memory of freed tensors for the next ones. By default glibc returns blocks of 128 KiB
/// or more to the system, and page faults then take most of the time of a network on images.
void
KeepFreedMemory()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // The largest value that glibc accepts
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

} // namespace

std::string
GetBlasKernel()
{
    auto name = Find<char*()>("openblas_get_corename");
    return name ? name() : "unknown";
}

void
SelectKernels()
{
    if (!HasAvx2())
    {
        return;
    }
    setenv("ATEN_CPU_CAPABILITY", "avx2", 0); // read at LibTorch's first operation
    auto quit = Find<void()>("gotoblas_dynamic_quit");
    auto init = Find<void()>("gotoblas_dynamic_init");
    if (quit && init && GetBlasKernel() != KERNEL && !std::getenv("OPENBLAS_CORETYPE"))
    {
        NS_LOG_INFO("OpenBLAS: " << GetBlasKernel() << " replaced by " << KERNEL);
        setenv("OPENBLAS_CORETYPE", KERNEL, 1);
        quit();
        init();
        unsetenv("OPENBLAS_CORETYPE");
    }
}

void
SetUpTorch()
{
    static std::once_flag once;
    std::call_once(once,
                   []
                   {
                       SelectKernels();
                       KeepFreedMemory();
                       if (auto setThreads = Find<void(int)>("openblas_set_num_threads"))
                       {
                           setThreads(1);
                       }
                       at::set_num_threads(1);
                   });
}

uint64_t
MakeTorchSeed(int64_t stream)
{
    auto random = CreateObjectWithAttributes<UniformRandomVariable>("Stream", IntegerValue(stream));
    return static_cast<uint64_t>(random->GetValue() * 0x1p53);
}

} // namespace ns3::odcn
