// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_POLICY_CHOICE_H
#define ODCN_POLICY_CHOICE_H

#include "ns3/odcn-decision-policy.h"

#include <string>
#include <vector>

namespace ns3
{
namespace odcn
{

/// TypeId name of the policy of a trained network. Builds without LibTorch have none.
inline const std::string ODCN_AGENT_POLICY = "ns3::odcn::OdcnAgentPolicy";

/**
 * @param words TypeId name of a policy, Attributes in brackets
 * @param more any name, Attributes in brackets
 * @return the former with the Attributes of the latter
 * @throws OdcnError when either has another form, or there are such Attributes and that is no
 * policy
 */
std::string OdcnAddAttributes(const std::string& words, const std::string& more);

/**
 * A policy by one of a system's short names, or any by its TypeId.
 *
 * @tparam T has strings as its members name, and policy (TypeId name, Attributes in brackets); the
 * others have defaults
 * @param known those with short names
 * @param name a short name or the TypeId name of a policy, with Attributes in brackets if any
 * @return the known one, which may be an agent that this build has not; or another
 * @throws OdcnError when there is no such policy, with the short names, or an Attribute is out of
 * range
 */
template <typename T>
T
OdcnFindScheme(const std::vector<T>& known, const std::string& name)
{
    const std::string alias = name.substr(0, name.find('['));
    std::string names;
    for (const auto& scheme : known)
    {
        if (scheme.name == alias)
        {
            T found = scheme;
            found.name = name;
            found.policy = OdcnAddAttributes(scheme.policy, name);
            return found;
        }
        names += scheme.name + ", ";
    }
    OdcnDecisionPolicy::Create(name, names + "or ");
    T scheme;
    scheme.name = name;
    scheme.policy = name;
    return scheme;
}

/**
 * @param [in,out] words of a policy; an agent without a checkpoint gets the file
 * @param file of an agent, a program's option "checkpoint"
 * @return the agent's file; "" for a rule
 * @throws OdcnError when there is no such file
 */
std::string OdcnSetCheckpoint(std::string& words, const std::string& file);

} // namespace odcn
} // namespace ns3

#endif /* ODCN_POLICY_CHOICE_H */
