// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LINEAR_POLICY_H
#define ODCN_LINEAR_POLICY_H

#include "odcn-rack-search.h"

#include "ns3/odcn-action-scorer.h"
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
 * Scores every action by a weighted sum of its own features and takes the feasible action with the
 * largest score, the first among equals. With features x[0], x[1], ... the score is
 *
 *   bias + weights[0] x[0] + weights[1] x[1] + ...,
 *
 * added in this order in single precision, so that decisions are the same on every processor.
 *
 * If an observation is made of blocks with one number per action, the features of an action are its
 * number in each block; for a graph, they are the node features of its candidate. So weights
 * trained with 16 racks also work with 64.
 *
 * For OdcnScheduling with State=Placement or State=Opening the largest score is found incrementally
 * (OdcnRackSearch), with equal decisions.
 *
 * A policy's file is a JSON object: policy ("linear"), form (the observation form), features
 * (names of the features, for display), weights, bias, provenance (texts by name).
 */
class LinearPolicy : public DecisionPolicy, public ActionScorer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param problem after its first Reset()
     * @return number of features of an action
     * @throws OdcnError when the observation has no such layout
     */
    static std::size_t CountFeatures(const DecisionProblem& problem);

    /**
     * @param weights one for each feature
     * @param bias added to all scores
     * @throws OdcnError when one is not finite, or beyond 1e30
     */
    void SetWeights(std::span<const float> weights, float bias);

    /// @return the weights, one for each feature
    const std::vector<float>& GetWeights() const
    {
        return m_weights;
    }

    /// @return bias added to all scores
    float GetBias() const
    {
        return m_bias;
    }

    /**
     * Read weights, bias, form and provenance; nothing changes if that fails.
     * @param file written by Save(); "" changes nothing
     * @throws OdcnError when it cannot be read or is no linear policy
     */
    void SetFile(std::string file);

    /// @return the file that was read; "" for none
    std::string GetFile() const
    {
        return m_file;
    }

    /// @param form of the observations that the weights were trained on, for Configure()
    void SetForm(const ObservationForm& form);

    /// @return form of the observations that the weights were trained on, if known
    const std::optional<ObservationForm>& GetForm() const
    {
        return m_form;
    }

    /**
     * Write the file completely or not at all: an earlier file is kept if anything fails.
     * @param file to be written
     * @param problem that the weights were trained on; its form and feature names are written
     * @param provenance command, seed, score, ..., for information
     * @throws OdcnError when it cannot be written, or weights and problem do not fit
     */
    void Save(const std::string& file,
              const DecisionProblem& problem,
              const std::map<std::string, std::string>& provenance) const;

    /// Apply the form that the weights were trained on. @copydoc DecisionPolicy::Configure
    void Configure(DecisionProblem& problem) override;

    std::map<std::string, std::string> GetProvenance() const override
    {
        return m_provenance;
    }

    uint32_t Decide(const DecisionProblem& problem) override;
    std::vector<float> GetScores(const DecisionProblem& problem,
                                 std::span<const float> observation) override;

  private:
    /// @param problem to be decided  @throws OdcnError unless it has one feature for each weight
    void RequireFit(const DecisionProblem& problem) const;

    /// @param problem to be decided  @return the action, from Observe() and Mask()
    uint32_t FindBest(const DecisionProblem& problem);

    /// Compute m_scores. @param problem whose observation m_observation holds
    void Score(const DecisionProblem& problem);

    std::string m_file;                              //!< file that was read; "" for none
    bool m_useMask{true};                            //!< whether infeasible actions are excluded
    std::vector<float> m_weights;                    //!< one for each feature
    float m_bias{0};                                 //!< added to all scores
    std::optional<ObservationForm> m_form;           //!< form of the training observations
    std::map<std::string, std::string> m_provenance; //!< stored in the file
    OdcnRackSearch m_search;                         //!< for OdcnScheduling with State=Placement
    std::vector<float> m_observation;                //!< scratch
    std::vector<float> m_scores;                     //!< scratch: [action]
};

} // namespace ns3::odcn

#endif /* ODCN_LINEAR_POLICY_H */
