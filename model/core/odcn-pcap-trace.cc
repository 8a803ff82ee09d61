// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-pcap-trace.h"

#include "odcn-error.h"

#include "ns3/odcn-attributes.h"

#include <map>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(PcapTrace);

namespace
{

/// @return the open files, by path
std::map<std::string, PcapTrace*>&
GetOpen()
{
    // Never destroyed: ns-3 may destroy devices, and with them traces, after all static objects.
    static auto* open = new std::map<std::string, PcapTrace*>;
    return *open;
}

} // namespace

TypeId
PcapTrace::GetTypeId()
{
    static TypeId tid = TypeIdOf<PcapTrace, PcapFileWrapper>("ns3::odcn::PcapTrace");
    return tid;
}

PcapTrace::~PcapTrace()
{
    const auto found = GetOpen().find(m_path);
    if (found != GetOpen().end() && found->second == this)
    {
        GetOpen().erase(found);
    }
}

void
PcapTrace::Begin(const std::string& path, uint32_t dataLinkType)
{
    Open(path, std::ios::out);
    if (Fail())
    {
        throw OdcnError::InOption("pcap", path, "a file that can be written");
    }
    Init(dataLinkType);
    m_path = path;
    GetOpen()[path] = this;
}

void
PcapTrace::Finish(const std::string& path)
{
    const auto found = GetOpen().find(path);
    if (found == GetOpen().end())
    {
        return;
    }
    PcapTrace& file = *found->second;
    GetOpen().erase(found);
    file.Close();
    if (file.Fail())
    {
        throw OdcnError(path + ": the packets could not all be written");
    }
}

void
PcapTrace::FinishAll()
{
    while (!GetOpen().empty())
    {
        Finish(std::string(GetOpen().begin()->first));
    }
}

} // namespace ns3::odcn
