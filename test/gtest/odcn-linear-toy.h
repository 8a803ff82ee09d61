// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LINEAR_TOY_H
#define ODCN_LINEAR_TOY_H

/**
 * @file
 * A decision problem that a linear policy can solve, for the tests of linear policies and of
 * their learners. Without LibTorch.
 */

#include "ns3/odcn-decision-problem.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace ns3::odcn
{

/**
 * Choose the action with the least first feature; the second feature is noise. An action whose
 * second feature exceeds 0.8 is forbidden, except action 0.
 */
class LinearToy : public DecisionProblem
{
  public:
    /// @param actions how many  @param episode decisions of an episode; 0 for no end
    explicit LinearToy(uint32_t actions = 6, uint64_t episode = 0)
        : m_actions(actions),
          m_episode(episode),
          m_random(CreateObject<UniformRandomVariable>())
    {
        m_random->SetStream(1);
        Reset();
    }

    uint32_t GetNActions() const override
    {
        return m_actions;
    }

    std::vector<uint32_t> GetObservationShape() const override
    {
        return {2, m_actions};
    }

    void Observe(float* out) const override
    {
        std::copy(observation.begin(), observation.end(), out);
    }

    void Mask(uint8_t* out) const override
    {
        for (uint32_t a = 0; a < m_actions; ++a)
        {
            out[a] = IsAllowed(a);
        }
    }

    void Act(uint32_t action) override
    {
        const bool right = action == GetBest();
        m_rewards.push_back(right ? 1.0F : 0.0F);
        ++m_acts;
        m_wrong += !right;
        ++m_steps;
        Draw();
    }

    void TakeRewards(std::vector<float>& out) override
    {
        out.insert(out.end(), m_rewards.begin(), m_rewards.end());
        m_rewards.clear();
    }

    bool IsDone() const override
    {
        return m_episode && m_steps == m_episode;
    }

    void Reset() override
    {
        m_steps = 0;
        m_rewards.clear();
        Draw();
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

    /// @return the right action
    uint32_t GetBest() const
    {
        uint32_t best = 0;
        for (uint32_t a = 1; a < m_actions; ++a)
        {
            best = IsAllowed(a) && observation[a] < observation[best] ? a : best;
        }
        return best;
    }

    std::vector<float> observation; //!< present observation; tests may change it

  private:
    /// @param a an action  @return whether it is allowed
    bool IsAllowed(uint32_t a) const
    {
        return a == 0 || observation[m_actions + a] <= 0.8F;
    }

    /// Draw the next observation.
    void Draw()
    {
        observation.resize(2 * m_actions);
        for (float& x : observation)
        {
            x = static_cast<float>(m_random->GetValue());
        }
    }

    uint32_t m_actions;                  //!< number of actions
    uint64_t m_episode;                  //!< decisions of an episode, 0 for no end
    Ptr<UniformRandomVariable> m_random; //!< for observations
    std::vector<float> m_rewards;        //!< rewards not taken yet
    uint64_t m_steps{0};                 //!< decisions of the episode
    uint64_t m_acts{0};                  //!< decisions since ClearScore()
    uint64_t m_wrong{0};                 //!< wrong decisions since ClearScore()
};

/// The path of a file that is removed at the end.
struct TemporaryPath
{
    std::string path; //!< file name

    /// @param name distinguishes the files of a test
    explicit TemporaryPath(const std::string& name = "file")
        : path(testing::TempDir() + "odcn-" + name + "-" + std::to_string(::getpid()))
    {
    }

    ~TemporaryPath()
    {
        std::remove(path.c_str());
    }

    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;
};

} // namespace ns3::odcn

#endif /* ODCN_LINEAR_TOY_H */
