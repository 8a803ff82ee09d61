// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_OBSERVATION_FORM_H
#define ODCN_OBSERVATION_FORM_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::odcn
{

class DecisionProblem;

/**
 * @ingroup odcn
 *
 * What a trained policy observes: the kind of problem, the Attributes that determine the
 * observation (DecisionProblem::GetFormAttributes()), and the size. Files of trained policies
 * contain it, so that a problem can be set up for them without asking the user.
 */
struct ObservationForm
{
    std::string problem;                           //!< TypeId name
    std::map<std::string, std::string> attributes; //!< Values by name
    std::vector<uint32_t> shape;                   //!< Dimensions of an observation
    uint32_t actions{0};                           //!< Number of actions

    /// @param problem a problem  @return its form
    static ObservationForm Of(const DecisionProblem& problem);

    /**
     * Set the Attributes of this form on a problem.
     * @param problem to be set up, before its first decision
     * @param file of the policy, for errors
     * @throws OdcnError when it is another kind of problem
     */
    void Apply(DecisionProblem& problem, const std::string& file) const;

    /// @return the form as a JSON object
    std::string ToJson() const;

    /**
     * @param json returned by ToJson()
     * @param file that it comes from, for errors
     * @return the form
     * @throws OdcnError when @p json is not a form
     */
    static ObservationForm FromJson(const std::string& json, const std::string& file);

    /// @return "3 x 18 x 16 and 16 actions"
    std::string Describe() const;
};

} // namespace ns3::odcn

#endif /* ODCN_OBSERVATION_FORM_H */
