// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_REQUEST_SOURCE_H
#define RDDC_REQUEST_SOURCE_H

#include "rddc-request.h"

#include "ns3/object.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Source of requests.
 */
class RddcRequestSource : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Get the next request.
     * @param [out] request the next request
     * @return false at the end of the stream (@p request is then unspecified)
     */
    virtual bool Next(RddcRequest& request) = 0;

    /**
     * Assign random streams. To be called before the first Next(), since a source may restart.
     * @param stream first stream number to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

} // namespace ns3::odcn

#endif /* RDDC_REQUEST_SOURCE_H */
