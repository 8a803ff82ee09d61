// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_STUB_PROBLEM_H
#define ODCN_STUB_PROBLEM_H

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-decision-problem.h"
#include "ns3/random-variable-stream.h"

namespace ns3::odcn
{

/**
 * What decision problems of tests have in common: one stream of random numbers, an observation of
 * zeros, rewards in a list, every action allowed, episodes of equal length, and the share of wrong
 * actions as score.
 */
class StubProblem : public DecisionProblem
{
  public:
    /// @param actions number of actions  @param shape of an observation
    /// @param episode decisions of an episode, 0 for no end
    StubProblem(uint32_t actions, std::vector<uint32_t> shape, uint64_t episode = 0)
        : m_actions(actions),
          m_shape(std::move(shape)),
          m_random(CreateObject<UniformRandomVariable>()),
          m_episode(episode)
    {
        std::size_t size = 1;
        for (const uint32_t n : m_shape)
        {
            size *= n;
        }
        m_observation.resize(size);
    }

    uint32_t GetNActions() const override
    {
        return m_actions;
    }

    std::vector<uint32_t> GetObservationShape() const override
    {
        return m_shape;
    }

    void Observe(float* out) const override
    {
        std::copy(m_observation.begin(), m_observation.end(), out);
    }

    bool IsDone() const override
    {
        return m_episode && m_steps == m_episode;
    }

    void Reset() override
    {
        m_steps = 0;
        m_rewards.clear();
    }

    void Mask(uint8_t* out) const override
    {
        std::fill_n(out, m_actions, uint8_t{1});
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_random->SetStream(stream);
        return 1;
    }

    std::string GetScoreName() const override
    {
        return "wrong";
    }

    double GetScore() const override
    {
        return m_acts ? static_cast<double>(m_wrong) / static_cast<double>(m_acts) : 0.0;
    }

    void ClearScore() override
    {
        m_acts = m_wrong = 0;
    }

  protected:
    /// Count an action. @param right whether it is not wrong
    void Count(bool right)
    {
        ++m_acts;
        ++m_steps;
        m_wrong += right ? 0 : 1;
    }

    uint32_t m_actions;                  //!< number of actions
    std::vector<uint32_t> m_shape;       //!< of an observation
    std::vector<float> m_observation;    //!< present observation
    Ptr<UniformRandomVariable> m_random; //!< the stream

  private:
    uint64_t m_episode;  //!< decisions of an episode, 0 for no end
    uint64_t m_steps{0}; //!< decisions of the episode
    uint64_t m_acts{0};  //!< actions since ClearScore()
    uint64_t m_wrong{0}; //!< wrong actions since ClearScore()
};

} // namespace ns3::odcn

#endif /* ODCN_STUB_PROBLEM_H */
