// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-library.h"

#include "odcn-error.h"
#include "odcn-shared-library.h"

#include <dlfcn.h>
#include <filesystem>
#include <mutex>

namespace ns3::odcn
{

namespace
{

/// Guards what follows.
std::mutex g_agentMutex;
/// Error of Forbid().
std::string g_agentsForbidden;

/// @return path of the library; empty where odcn was built without agents
std::filesystem::path
GetAgentFile()
{
#ifdef ODCN_AGENT_LIBRARY
    // The file that this function was loaded from: a library, or the program where odcn is static.
    if (Dl_info info; dladdr(reinterpret_cast<void*>(&GetAgentFile), &info) && info.dli_fname)
    {
        std::error_code none;
        const auto library = std::filesystem::canonical(info.dli_fname, none);
        return library.parent_path() / ODCN_AGENT_LIBRARY;
    }
#endif
    return {};
}

/// @return whether the library is open, by AgentLibrary or because the program is linked with it
bool
IsOpen()
{
    TypeId tid;
    return TypeId::LookupByNameFailSafe("ns3::odcn::AgentPolicy", &tid);
}

} // namespace

bool
AgentLibrary::IsPresent()
{
    const std::lock_guard lock(g_agentMutex);
    return IsOpen() || (g_agentsForbidden.empty() && std::filesystem::exists(GetAgentFile()));
}

void
AgentLibrary::Open(const std::string& what)
{
    const std::lock_guard lock(g_agentMutex);
    if (IsOpen())
    {
        return;
    }
    if (!g_agentsForbidden.empty())
    {
        throw OdcnError(what + ": " + g_agentsForbidden);
    }
    const auto file = GetAgentFile();
    if (file.empty())
    {
        throw OdcnError(what + ": this odcn was built without agents, for want of LibTorch");
    }
    if (!std::filesystem::exists(file))
    {
        throw OdcnError(what + ": agents need " + file.string() +
                        ", which is not there; in odcn's folder, ./ns3 build odcn-agent makes it");
    }
    OpenSharedLibrary(what + ": " + file.string(), file);
}

bool
AgentLibrary::FindType(const std::string& name, TypeId& tid)
{
    if (TypeId::LookupByNameFailSafe(name, &tid))
    {
        return true;
    }
    if (name.rfind("ns3::odcn::", 0) != 0 || !IsPresent())
    {
        return false;
    }
    Open(name);
    return TypeId::LookupByNameFailSafe(name, &tid);
}

void
AgentLibrary::Forbid(const std::string& why)
{
    const std::lock_guard lock(g_agentMutex);
    g_agentsForbidden = why;
}

} // namespace ns3::odcn
