// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Compiled in place of the reader of Chakra traces in a build without protobuf.

#include "odcn-training-readers.h"

#include "ns3/odcn-error.h"

namespace ns3::odcn
{

TrainingJob
ReadChakraTrace(const std::string& prefix, const TrainingReadOptions&, TrainingReadReport&)
{
    throw OdcnError(prefix + ".0.et: this build has no protobuf: install libprotobuf-dev and "
                             "protobuf-compiler, configure again");
}

} // namespace ns3::odcn
