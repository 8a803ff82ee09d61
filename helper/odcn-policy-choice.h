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
inline const std::string ODCN_AGENT_POLICY = "ns3::odcn::AgentPolicy";

/// TypeId name of LinearPolicy, whose weights come from a file.
inline const std::string ODCN_LINEAR_POLICY = "ns3::odcn::LinearPolicy";

/**
 * @param words of a policy
 * @return whether it was trained (a linear policy or an agent), so that it is no rule
 */
bool OdcnIsTrained(const std::string& words);

/**
 * @param words of a policy
 * @return for tables: of a trained policy its type alone, as files lie elsewhere on other machines
 */
std::string OdcnGetForm(const std::string& words);

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

/**
 * @param [in,out] words of a policy; a linear policy without a file gets this one
 * @param file of a linear policy, a program's option "linear"
 * @return the linear policy's file; "" for any other policy
 * @throws OdcnError when there is no such file
 */
std::string OdcnSetLinearFile(std::string& words, const std::string& file);

/**
 * @param pattern name of a file; a % stands for what differs between files of one option
 * @param name in place of the %
 * @return the file's name
 */
std::string OdcnExpandPattern(std::string pattern, const std::string& name);

/**
 * Set an Attribute of an object that was created from words, unless the words set it.
 * @param object e.g. a learner  @param words that it was created from
 * @param name of the Attribute  @param value in its range
 * @return whether the object has such an Attribute
 */
bool OdcnSetDefault(Object& object,
                    const std::string& words,
                    const std::string& name,
                    const AttributeValue& value);

} // namespace odcn
} // namespace ns3

#endif /* ODCN_POLICY_CHOICE_H */
