// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CHECKPOINT_H
#define ODCN_CHECKPOINT_H

#include "ns3/odcn-decision-problem.h"
#include "ns3/odcn-observation-form.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace ns3::odcn
{

class PolicyNetwork;
struct Archive;

/**
 * @ingroup odcn
 *
 * A trained network in one file: LibTorch's own archive of the module, and beside it the text
 * "odcn", a JSON object that says which network it is, with which options, what it reads, and where
 * it comes from. In Python, torch.jit.load(file) lists the parameters by name and has the text as
 * its attribute odcn. In short: {"format": "odcn-checkpoint", "version": 2, "network": {"name",
 * "options"}, "form": ObservationForm::ToJson(), "provenance": {...}}, at most 64 KiB.
 *
 * A checkpoint holds no code, and one that does is refused. TorchScript modules, which AgentPolicy
 * also reads, are code: load only those that you trust.
 */
struct Checkpoint
{
    std::string network;                           //!< Registered name
    std::string options;                           //!< JSON object
    ObservationForm form;                          //!< What it was trained on
    std::map<std::string, std::string> provenance; //!< Command, seed, score, ... for people
    std::shared_ptr<const Archive> parameters;     //!< Of the network

    /// @param path the file  @return what it says  @throws OdcnError when it cannot be read, is
    /// none, is cut short or is damaged
    static Checkpoint Read(const std::string& path);

    /// @param archive of a file  @param path of that file  @return what it says  @throws OdcnError
    /// when it is no checkpoint
    static Checkpoint Parse(Archive archive, const std::string& path);

    /**
     * Build the network for a problem, which may be larger or smaller than the one it was trained
     * on where the network serves any number of actions.
     * @param problem to decide, already in the file's form
     * @param path of the file, for errors
     * @return with the file's parameters
     * @throws OdcnError when the network is unknown or made for another size
     */
    std::shared_ptr<PolicyNetwork> Build(const DecisionProblem& problem,
                                         const std::string& path) const;

    /// Read(), then Build(). @param path the file  @param problem to decide  @return the network
    static std::shared_ptr<PolicyNetwork> Load(const std::string& path,
                                               const DecisionProblem& problem);

    /**
     * Write whole or not at all: an earlier file stays untouched when anything fails.
     * @param path the file
     * @param network its parameters must be finite
     * @param form what it was trained on
     * @param provenance command, seed, score, ... for people
     * @throws OdcnError when it cannot be written
     */
    static void Save(const std::string& path,
                     const PolicyNetwork& network,
                     const ObservationForm& form,
                     const std::map<std::string, std::string>& provenance);
};

} // namespace ns3::odcn

#endif /* ODCN_CHECKPOINT_H */
