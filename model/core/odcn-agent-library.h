// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_AGENT_LIBRARY_H
#define ODCN_AGENT_LIBRARY_H

#include "ns3/type-id.h"

#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The library of agents, libodcn-agent. It is opened when a name, a file or an option first asks
 * for an agent, since LibTorch takes 0.4 s and 180 MB of each program that loads it. Its file
 * stands beside that of odcn. Its types, networks and trainings register themselves. Programs that
 * look up the TypeId of an agent by ns-3's own functions call Open() before; those that are linked
 * with the library need not.
 */
class AgentLibrary
{
  public:
    /// @return whether it is open, or can be as far as is known without opening it
    static bool IsPresent();

    /**
     * Open it, unless it is open. To be called before fork(), so that the time is paid once; any
     * thread may call it, while no other one uses TypeIds.
     * @param what asks for an agent, for errors
     * @throws OdcnError when there are no agents, or LibTorch cannot be loaded
     */
    static void Open(const std::string& what);

    /**
     * Find a type that may be an agent's.
     * @param name TypeId name; the library is opened for one of odcn's that is not known otherwise
     * @param [out] tid the type
     * @return whether there is one
     * @throws OdcnError when the library is present and cannot be opened
     */
    static bool FindType(const std::string& name, TypeId& tid);

    /// Have Open() fail from now on, unless the library is open. @param why text of the error
    static void Forbid(const std::string& why);
};

} // namespace ns3::odcn

#endif /* ODCN_AGENT_LIBRARY_H */
