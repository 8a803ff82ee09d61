// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-mpi-ranks.h"

#include "ns3/odcn-error.h"

namespace ns3::odcn
{

namespace
{

/// @return how processes are connected, null without MPI
MpiConnector&
GetMpi()
{
    static MpiConnector connector = nullptr;
    return connector;
}

} // namespace

bool
SetMpi(MpiConnector connector)
{
    GetMpi() = connector;
    return true;
}

std::unique_ptr<Ranks>
MakeRanks()
{
    return Ranks::Connect(
        [](const std::string& launched)
        {
            if (!GetMpi())
            {
                throw OdcnError(launched + "but this odcn was built without MPI (Debian: "
                                           "libboost-mpi-dev)");
            }
            return GetMpi()();
        });
}

} // namespace ns3::odcn
