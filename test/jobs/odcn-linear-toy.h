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

#include "../core/odcn-folder-test.h"
#include "odcn-stub-problem.h"

namespace ns3::odcn
{

/**
 * Choose the action with the least first feature; the second feature is noise. An action whose
 * second feature exceeds 0.8 is forbidden, except action 0.
 */
class LinearToy : public StubProblem
{
  public:
    /// @param actions how many  @param episode decisions of an episode; 0 for no end
    explicit LinearToy(uint32_t actions = 6, uint64_t episode = 0)
        : StubProblem(actions, {2, actions}, episode)
    {
        m_random->SetStream(1);
        Reset();
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
        Count(right);
        Draw();
    }

    void Reset() override
    {
        StubProblem::Reset();
        Draw();
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

    std::vector<float>& observation{m_observation}; //!< tests may change it

  private:
    /// @param a an action  @return whether it is allowed
    bool IsAllowed(uint32_t a) const
    {
        return a == 0 || observation[m_actions + a] <= 0.8F;
    }

    /// Draw the next observation.
    void Draw()
    {
        for (float& x : observation)
        {
            x = static_cast<float>(m_random->GetValue());
        }
    }
};

} // namespace ns3::odcn

#endif /* ODCN_LINEAR_TOY_H */
