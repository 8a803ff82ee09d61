// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RANDOM_APPLICATION_H
#define ODCN_RANDOM_APPLICATION_H

#include "ns3/application.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * An Application that draws random numbers. From ns-3.42 on, AssignStreams() is Application's.
 */
class RandomApplication : public Application
{
  public:
    /// @param stream first stream number to use  @return number of streams used
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

} // namespace ns3::odcn

#endif /* ODCN_RANDOM_APPLICATION_H */
