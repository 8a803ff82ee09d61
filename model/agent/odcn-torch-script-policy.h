// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TORCH_SCRIPT_POLICY_H
#define ODCN_TORCH_SCRIPT_POLICY_H

#include "ns3/odcn-decision-policy.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * A TorchScript file that was trained elsewhere decides. Its module takes a float tensor of
 * 1 x the observation's shape and returns logits of 1 x actions, or a tuple that begins with them.
 * The likeliest action is taken.
 */
class OdcnTorchScriptPolicy : public OdcnDecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    OdcnTorchScriptPolicy();
    ~OdcnTorchScriptPolicy() override;

    uint32_t Decide(const OdcnDecisionProblem& problem) override;

  private:
    /// What LibTorch holds.
    struct Module;

    std::string m_file;               //!< Where the module is
    bool m_useMask;                   //!< Whether infeasible actions are excluded
    std::unique_ptr<Module> m_module; //!< Null until the first decision
    std::vector<uint8_t> m_mask;      //!< Of the problem
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_TORCH_SCRIPT_POLICY_H */
