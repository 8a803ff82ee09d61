// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_VARIABLE_COPY_H
#define ODCN_VARIABLE_COPY_H

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Copy a random variable, so that each of several objects draws from a stream of its own. Objects
 * have the same one if Config::SetDefault() has set it, even as text.
 *
 * @param pattern a variable, or null
 * @param what its purpose, for error messages
 * @return a copy with the same Attributes except the stream; null if @p pattern is
 * @throws OdcnError when the variable has values that are no Attributes
 */
Ptr<RandomVariableStream> CopyVariable(const Ptr<RandomVariableStream>& pattern,
                                       const std::string& what);

} // namespace ns3::odcn

#endif /* ODCN_VARIABLE_COPY_H */
