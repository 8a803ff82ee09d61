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
 * A trained network in one file: LibTorch's own archive of the module with the text "odcn", a JSON
 * object with the name of the network, its options, what it observes, and its provenance. In
 * Python, torch.jit.load(file) lists the parameters by name and has the text as attribute odcn:
 * {"format": "odcn-checkpoint", "version": 2, "network": {"name", "options"}, "form":
 * ObservationForm::ToJson(), "provenance": {...}}, at most 64 KiB.
 *
 * A checkpoint contains no code; a file with code is refused. TorchScript modules, which
 * AgentPolicy also reads, are code: load only those that you trust.
 */
struct Checkpoint
{
    std::string network;                           //!< Registered name of the network
    std::string options;                           //!< Its options, a JSON object
    ObservationForm form;                          //!< Form of the training observations
    std::map<std::string, std::string> provenance; //!< Command, seed, score, ..., for information
    std::shared_ptr<const Archive> parameters;     //!< Of the network

    /// @param path the file  @return its content  @throws OdcnError when it cannot be read, is no
    /// checkpoint, truncated or damaged
    static Checkpoint Read(const std::string& path);

    /// @param archive of a file  @param path of that file  @return its content  @throws OdcnError
    /// when it is no checkpoint
    static Checkpoint Parse(Archive archive, const std::string& path);

    /**
     * Build the network for a problem, which may be larger or smaller than that of the training if
     * the network supports any number of actions.
     * @param problem to be decided, already in the file's form
     * @param path of the file, for errors
     * @return the network with the file's parameters
     * @throws OdcnError when the network is unknown or made for another size
     */
    std::shared_ptr<PolicyNetwork> Build(const DecisionProblem& problem,
                                         const std::string& path) const;

    /**
     * As Build(), for a problem that observes more of each action: further blocks of numbers, after
     * those of the file's form. Their weights are 0, so that the network decides as before; the
     * value has to be learnt again.
     * @param problem to be decided
     * @param path of the file, for errors
     * @return the network
     * @throws OdcnError as Build(), and when the problem observes less
     */
    std::shared_ptr<PolicyNetwork> Extend(const DecisionProblem& problem,
                                          const std::string& path) const;

    /// Read(), then Build(). @param path a file  @param problem to be decided  @return the network
    static std::shared_ptr<PolicyNetwork> Load(const std::string& path,
                                               const DecisionProblem& problem);

    /**
     * Write the file completely or not at all: an earlier file is kept if anything fails.
     * @param path the file
     * @param network its parameters must be finite
     * @param form form of the training observations
     * @param provenance command, seed, score, ..., for information
     * @throws OdcnError when it cannot be written
     */
    static void Save(const std::string& path,
                     const PolicyNetwork& network,
                     const ObservationForm& form,
                     const std::map<std::string, std::string>& provenance);
};

} // namespace ns3::odcn

#endif /* ODCN_CHECKPOINT_H */
