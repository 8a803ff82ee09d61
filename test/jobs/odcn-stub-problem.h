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
 * What decision problems of tests have in common: one stream of random numbers, rewards in a list,
 * every action allowed, no end, and the share of wrong actions as score.
 */
class StubProblem : public DecisionProblem
{
  public:
    /// @param actions number of actions  @param shape of an observation
    StubProblem(uint32_t actions, std::vector<uint32_t> shape)
        : m_actions(actions),
          m_shape(std::move(shape)),
          m_random(CreateObject<UniformRandomVariable>())
    {
    }

    uint32_t GetNActions() const override
    {
        return m_actions;
    }

    std::vector<uint32_t> GetObservationShape() const override
    {
        return m_shape;
    }

    void Mask(uint8_t* out) const override
    {
        std::fill_n(out, m_actions, uint8_t{1});
    }

    void TakeRewards(std::vector<float>& out) override
    {
        out.insert(out.end(), m_rewards.begin(), m_rewards.end());
        m_rewards.clear();
    }

    bool IsDone() const override
    {
        return false;
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
        m_wrong += right ? 0 : 1;
    }

    uint32_t m_actions;                  //!< number of actions
    std::vector<uint32_t> m_shape;       //!< of an observation
    Ptr<UniformRandomVariable> m_random; //!< the stream
    std::vector<float> m_rewards;        //!< known rewards, not taken yet

  private:
    uint64_t m_acts{0};  //!< actions since ClearScore()
    uint64_t m_wrong{0}; //!< wrong actions since ClearScore()
};

} // namespace ns3::odcn

#endif /* ODCN_STUB_PROBLEM_H */
