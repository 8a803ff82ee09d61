// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_POLICY_REGISTRY_H
#define ODCN_POLICY_REGISTRY_H

#include "odcn-decision-policy.h"
#include "odcn-decision-problem.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A policy as text, and the settings of the problem that go with it.
 */
class PolicyChoice
{
  public:
    std::string name;                            //!< short name, or the text that was given
    std::string title;                           //!< one line for display
    std::string words;                           //!< TypeId name with Attributes in brackets
    std::map<std::string, std::string> settings; //!< Attributes for DecisionProblem::Set()
    bool bound{false};      //!< a bound on what is possible, not a way to run the system
    std::string recorded{}; //!< Attribute that the file of a trained policy is still to set

    /// @return whether it, or the Policy that it looks ahead with, is a trained policy (linear
    /// policy or agent), not a rule
    bool IsTrained() const;

    /// @return the words; for a trained policy only its type, since file paths differ between
    /// machines
    std::string GetForm() const;

    /// @return the file of a trained policy; "" if it names none, and for a rule
    std::string GetFile() const;

    /**
     * Set the file of a trained policy that names none; rules are not changed. If the file says
     * which value the Attribute `recorded` had in the training, it becomes one of the settings.
     * @param file of an agent or a linear policy
     * @throws OdcnError when the file, this one or the one already named, does not exist or cannot
     * be read
     */
    void SetFile(const std::string& file);

    /**
     * @return a new policy
     * @throws OdcnError when an Attribute is out of range, or this build has no agents
     */
    Ptr<DecisionPolicy> Create() const;

    /**
     * Apply() and DecisionPolicy::Configure(); to be called before the problem is reset.
     * @param problem to be decided  @param policy of Create()
     * @throws OdcnError when the policy was trained for another kind of problem, or with other
     * settings
     */
    void Configure(DecisionProblem& problem, DecisionPolicy& policy) const;

    /**
     * Apply the settings to a problem, before it is reset.
     * @param problem to be decided by this policy
     * @throws OdcnError when it lacks one of them, or a value is out of range
     */
    void Apply(DecisionProblem& problem) const;
};

/**
 * @ingroup odcn
 *
 * The policies with a short name, by the problem that they decide.
 */
class PolicyRegistry
{
  public:
    /**
     * Give a policy a short name.
     * @param problem TypeId name of the problem, e.g. "ns3::odcn::OdcnScheduling"
     * @param choice with name, title and words; OdcnError if there is one of the same name
     */
    static void Add(const std::string& problem, const PolicyChoice& choice);

    /// @param problem TypeId name  @return all policies with a short name for it
    static const std::vector<PolicyChoice>& Get(std::string_view problem);

    /**
     * A policy by its short name, by its TypeId name, or by the file of a trained one (.pt or
     * .json). Attributes may follow the name in brackets, and the value of GetSetting() may follow
     * "@": "tetris[RackFactor=0.5]@LeastUsed". Without it a trained policy gets the value of its
     * training, if its file records one, or else that of the short name.
     *
     * @param problem TypeId name
     * @param text the policy
     * @return the policy; its name is the text
     * @throws OdcnError when there is none (with the short names), or an Attribute is out of range
     */
    static PolicyChoice Find(const std::string& problem, const std::string& text);

    /**
     * A policy of any problem, as for DecisionPolicy::Create().
     * @param text the policy
     * @return the policy
     * @throws OdcnError as DecisionPolicy::Create()
     */
    static PolicyChoice Find(const std::string& text);

    /// @param problem TypeId name
    /// @return the Attribute that a policy may set: the Placement of ns3::odcn::OdcnScheduling, or
    /// GetRecordedSetting()
    static std::string GetSetting(const std::string& problem);

    /// @param problem TypeId name
    /// @return the Attribute that a trained policy has as in its training: the Routing of
    /// ns3::odcn::RddcAllocation, the Outlook (hours) of ns3::odcn::IcciMigration; "" for others
    static std::string GetRecordedSetting(const std::string& problem);

    /// @param setting of GetRecordedSetting()
    /// @return its name in files of trained policies, "routing"
    static std::string GetRecordName(std::string setting);

    /// @param problem TypeId name
    /// @return the names of Get(), in order
    static std::vector<std::string> GetNames(const std::string& problem);

    /// @param problem a problem
    /// @param text a policy
    /// @return Find() for its type
    static PolicyChoice Find(const DecisionProblem& problem, const std::string& text)
    {
        return Find(problem.GetInstanceTypeId().GetName(), text);
    }
};

/**
 * @ingroup odcn
 *
 * Gives policies short names before main() begins, as the rules of the library do:
 *
 * @code
 *   const PolicyRegistration MINE{"ns3::odcn::OdcnScheduling",
 *                                 {{"mine", "fewest reconfigurations", "ns3::MyRule", {}}}};
 * @endcode
 */
class PolicyRegistration
{
  public:
    /**
     * @param problem TypeId name of the problem
     * @param choices the policies, each with name, title, words and settings
     */
    PolicyRegistration(const std::string& problem, const std::vector<PolicyChoice>& choices)
    {
        for (const auto& choice : choices)
        {
            PolicyRegistry::Add(problem, choice);
        }
    }
};

} // namespace ns3::odcn

#endif /* ODCN_POLICY_REGISTRY_H */
