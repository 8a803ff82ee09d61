// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RUN_GUARD_H
#define ODCN_RUN_GUARD_H

#include "ns3/rng-seed-manager.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Restores ns-3's run number on destruction.
 */
class RunGuard
{
  public:
    RunGuard()
        : m_run(RngSeedManager::GetRun())
    {
    }

    ~RunGuard()
    {
        RngSeedManager::SetRun(m_run);
    }

    RunGuard(const RunGuard&) = delete;
    RunGuard& operator=(const RunGuard&) = delete;

  private:
    uint64_t m_run; //!< run number to restore
};

} // namespace ns3::odcn

#endif /* ODCN_RUN_GUARD_H */
