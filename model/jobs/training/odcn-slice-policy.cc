// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-slice-policy.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <map>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(SlicePolicy);

namespace
{

/// @return TypeId names of policies by their names
std::map<std::string, std::string>&
GetSlicePolicyTypes()
{
    static std::map<std::string, std::string> types;
    return types;
}

} // namespace

TypeId
SlicePolicy::GetTypeId()
{
    static TypeId tid = TypeIdOf<SlicePolicy, Object>("ns3::odcn::SlicePolicy");
    return tid;
}

bool
SlicePolicy::Register(const std::string& name, const std::string& type)
{
    if (!GetSlicePolicyTypes().emplace(name, type).second)
    {
        throw OdcnError::InOption("slice policy", name, "a name that no other one has");
    }
    return true;
}

std::vector<std::string>
SlicePolicy::GetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, type] : GetSlicePolicyTypes())
    {
        names.push_back(name);
    }
    return names;
}

Ptr<SlicePolicy>
SlicePolicy::Create(const std::string& text)
{
    ObjectText parsed = ObjectText::Parse("slice policy", text);
    const auto found = GetSlicePolicyTypes().find(parsed.type);
    if (found != GetSlicePolicyTypes().end())
    {
        parsed.type = found->second;
    }
    else
    {
        parsed.Resolve("slice policy", GetTypeId(), GetNames());
    }
    return DynamicCast<SlicePolicy>(parsed.Create("slice policy", GetTypeId()));
}

bool
SlicePolicy::MayWait(const SliceLedger& ledger, const SliceShape& asked) const
{
    const SliceShape pod = ledger.GetPod().GetSorted();
    const SliceShape shape = asked.GetSorted();
    return std::ranges::equal(shape.sides, pod.sides, std::ranges::less_equal());
}

int64_t
SlicePolicy::AssignStreams(int64_t /* stream */)
{
    return 0;
}

} // namespace ns3::odcn
