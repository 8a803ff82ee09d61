// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LINEAR_POLICY_H
#define ODCN_LINEAR_POLICY_H

#include "odcn-rack-search.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-observation-form.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Scores every action by a weighted sum of its own features and takes the feasible action of the
 * greatest score, the first of equals. With features x[0], x[1], ... the score is
 *
 *   bias + weights[0] x[0] + weights[1] x[1] + ...,
 *
 * added in this order in single precision, so that decisions are the same on every processor.
 *
 * The features of an action are one number of each block, where an observation is made of blocks of
 * one number an action; of a graph, the node features of its candidate. So weights learnt with 16
 * racks also serve 64.
 *
 * For OdcnScheduling with State=Placement the greatest score is found incrementally
 * (OdcnRackSearch), with equal decisions.
 *
 * A policy's file is a JSON object: policy ("linear"), form (the observation form), features
 * (names of the features, for people), weights, bias, provenance (texts by name).
 */
class LinearPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    LinearPolicy();

    /**
     * @param problem after its first Reset()
     * @return features of an action
     * @throws OdcnError when an observation has no such layout
     */
    static std::size_t CountFeatures(const DecisionProblem& problem);

    /**
     * @param weights one for each feature
     * @param bias added to all scores
     * @throws OdcnError when one is not finite
     */
    void SetWeights(std::span<const float> weights, float bias);

    /// @return one for each feature
    const std::vector<float>& GetWeights() const
    {
        return m_weights;
    }

    /// @return what is added to all scores
    float GetBias() const
    {
        return m_bias;
    }

    /**
     * Read weights, bias, form and provenance; the policy keeps its own when that fails.
     * @param file written by Save(); "" changes nothing
     * @throws OdcnError when it cannot be read or is something else
     */
    void SetFile(std::string file);

    /// @return the file that was read; "" for none
    std::string GetFile() const
    {
        return m_file;
    }

    /// @param form what the weights were trained on, for Configure()
    void SetForm(const ObservationForm& form);

    /// @return what the weights were trained on, if that is known
    const std::optional<ObservationForm>& GetForm() const
    {
        return m_form;
    }

    /// @return what the file says of its origin
    const std::map<std::string, std::string>& GetProvenance() const
    {
        return m_provenance;
    }

    /**
     * Write whole or not at all: an earlier file stays untouched when anything fails.
     * @param file to be written
     * @param problem that the weights were trained on: its form and names of features are written
     * @param provenance command, seed, score, ... for people
     * @throws OdcnError when it cannot be written, or weights and problem do not fit
     */
    void Save(const std::string& file,
              const DecisionProblem& problem,
              const std::map<std::string, std::string>& provenance) const;

    /// Apply the form that the weights were trained on. @copydoc DecisionPolicy::Configure
    void Configure(DecisionProblem& problem) override;

    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    /// @param problem to be decided  @throws OdcnError when it has not one feature for each weight
    void RequireFit(const DecisionProblem& problem) const;

    /// @param problem to be decided  @return the action, from Observe() and Mask()
    uint32_t FindBest(const DecisionProblem& problem);

    /// Compute m_scores. @param problem whose observation m_observation holds
    void Score(const DecisionProblem& problem);

    std::string m_file;                              //!< that was read; "" for none
    bool m_useMask{true};                            //!< whether infeasible actions are excluded
    std::vector<float> m_weights;                    //!< of the features
    float m_bias{0};                                 //!< added to all scores
    std::optional<ObservationForm> m_form;           //!< what the weights were trained on
    std::map<std::string, std::string> m_provenance; //!< of the file
    OdcnRackSearch m_search;                         //!< for OdcnScheduling
    std::vector<float> m_observation;                //!< scratch
    std::vector<float> m_scores;                     //!< scratch, of each action
    std::vector<uint8_t> m_mask;                     //!< scratch
};

} // namespace ns3::odcn

#endif /* ODCN_LINEAR_POLICY_H */
