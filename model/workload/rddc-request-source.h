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
 * Where requests come from.
 */
class RddcRequestSource : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Fetch the next request.
     * @param [out] request the next one
     * @return false at the end of the stream (@p request is then unspecified)
     */
    virtual bool Next(RddcRequest& request) = 0;

    /**
     * To be called before the first Next(): a source may begin anew.
     * @param stream first stream number to use
     * @return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

} // namespace ns3::odcn

#endif /* RDDC_REQUEST_SOURCE_H */
