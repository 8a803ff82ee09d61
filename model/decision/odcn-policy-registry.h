// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_POLICY_REGISTRY_H
#define ODCN_POLICY_REGISTRY_H

#include "odcn-decision-policy.h"
#include "odcn-decision-problem.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A policy in words, with what goes with it: how to make one, and what the problem that it decides
 * needs.
 */
class PolicyChoice
{
  public:
    std::string name;                            //!< short name or as it was asked for
    std::string title;                           //!< one line for people
    std::string words;                           //!< TypeId name, Attributes in brackets
    std::map<std::string, std::string> settings; //!< Attributes for DecisionProblem::Set()
    bool bound{false}; //!< not a way to run the system, but how good one could be

    /// @return whether it was trained (a linear policy or an agent), so that it is no rule
    bool IsTrained() const;

    /// @return the words; of a trained policy its type alone, as files lie elsewhere on other
    /// machines
    std::string GetForm() const;

    /// @return the file of a trained policy; "" without one, and for a rule
    std::string GetFile() const;

    /**
     * Give a trained policy that names no file this one; rules stay as they are.
     * @param file of an agent or a linear policy
     * @throws OdcnError when the policy's file, this one or the one that it names, does not exist
     */
    void SetFile(const std::string& file);

    /**
     * @return a new policy
     * @throws OdcnError when an Attribute is out of range, or this build has no agents
     */
    Ptr<DecisionPolicy> Create() const;

    /**
     * Apply() and DecisionPolicy::Configure(), before the problem is reset.
     * @param problem to be decided  @param policy of Create()
     * @throws OdcnError when the policy was trained for another kind of problem, or with other
     * settings
     */
    void Configure(DecisionProblem& problem, DecisionPolicy& policy) const;

    /**
     * Make the settings of a problem, before it is reset.
     * @param problem to be decided by this policy
     * @throws OdcnError when it does not know one of them, or a value is out of range
     */
    void Apply(DecisionProblem& problem) const;
};

/**
 * @ingroup odcn
 *
 * The policies that have a short name, by the problem that they decide.
 */
class PolicyRegistry
{
  public:
    /**
     * Give a policy a short name, in addition to those of the library.
     * @param problem TypeId name of the problem, e.g. "ns3::odcn::OdcnScheduling"
     * @param choice with name, title and words; it replaces one of the same name
     */
    static void Add(const std::string& problem, const PolicyChoice& choice);

    /// @param problem TypeId name  @return all its policies that have a short name
    static const std::vector<PolicyChoice>& Get(const std::string& problem);

    /**
     * A policy by its short name, by its TypeId name, or by the file of a trained one (.pt or
     * .json). After the name Attributes may follow in brackets, and after "@" a setting: of
     * ns3::odcn::RddcAllocation the Routing, of ns3::odcn::IcciMigration the hours of the Outlook.
     * "tetris[RackFactor=0.5]@LeastUsed" is an example.
     *
     * @param problem TypeId name
     * @param text the policy
     * @return it; its name is the text
     * @throws OdcnError when there is none, with the short names, or an Attribute is out of range
     */
    static PolicyChoice Find(const std::string& problem, const std::string& text);

    /// @param problem any  @param text a policy  @return Find() for its type
    static PolicyChoice Find(const DecisionProblem& problem, const std::string& text)
    {
        return Find(problem.GetInstanceTypeId().GetName(), text);
    }
};

} // namespace ns3::odcn

#endif /* ODCN_POLICY_REGISTRY_H */
