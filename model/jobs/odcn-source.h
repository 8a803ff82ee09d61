// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SOURCE_H
#define ODCN_SOURCE_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Source of jobs or requests, in order of arrival: a generator or a file.
 */
template <typename T>
class Source : public Object
{
  public:
    /**
     * Get the next one. Vectors in @p item are reused, to avoid allocations.
     * @param [out] item the next job or request
     * @return false at the end of the stream (@p item is then unspecified)
     */
    virtual bool Next(T& item) = 0;

    /**
     * Assign random streams. To be called before the first Next(), since a source may restart.
     * @param stream first stream number to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

} // namespace ns3::odcn

#endif /* ODCN_SOURCE_H */
