// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_PLACEMENT_H
#define ODCN_TRAINING_PLACEMENT_H

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

class FabricDesign;
class TrainingCluster;

/**
 * A rule that decides which free end points a job of a TrainingCluster gets.
 *
 * One of your own is registered by ODCN_REGISTER_TRAINING_PLACEMENT behind
 * NS_OBJECT_ENSURE_REGISTERED, and is then known to TrainingCluster and to programs by its name.
 * These are there:
 * - packing: those of the racks with the fewest free ones.
 * - random: any, in any order.
 * - locality: those of the first rack that has enough; else of the racks with the most.
 * - first: those of the lowest indices.
 * - max-weight: those of the fullest rack that has enough; else rack by rack, that with the most
 *   free ones first, each with ranks that send each other the most bytes.
 * - policy: what a policy of TrainingProblem decides, PolicyTrainingPlacement.
 *
 * @ingroup odcn
 */
class TrainingPlacement : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param text name of a rule, or its type, with Attributes in brackets
     * @return the rule
     * @throws OdcnError when there is none, or an Attribute is wrong
     */
    static Ptr<TrainingPlacement> Create(const std::string& text);

    /// @return names for Create(), in order
    static std::vector<std::string> GetNames();

    /// For ODCN_REGISTER_TRAINING_PLACEMENT.
    /// @param name of the rule
    /// @param type its TypeId name
    /// @return true
    /// @throws OdcnError when there is one of the same name
    static bool Register(const std::string& name, const std::string& type);

    /**
     * Choose end points for a job that could start now.
     * @param cluster with as many free end points as the job has ranks, or more
     * @param job its index in TrainingCluster::GetOutcomes()
     * @return free end point of each rank; none to let the job wait until another one has come or
     * ended
     */
    virtual std::vector<uint32_t> Choose(const TrainingCluster& cluster, uint32_t job) = 0;

    /// Tell it the network of the end points, before AssignStreams(). Nothing unless overridden.
    /// @param design of the network, whose servers are the end points
    virtual void SetDesign(const FabricDesign& design);

    /// @param stream first stream number to use
    /// @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    /// @param cluster a cluster
    /// @param racks some of its racks
    /// @return free end points of these racks, in their order
    static std::vector<uint32_t> GetFree(const TrainingCluster& cluster,
                                         const std::vector<uint32_t>& racks);

    /// @param cluster a cluster
    /// @param job index of a job
    /// @return number of its ranks
    static uint32_t GetNRanks(const TrainingCluster& cluster, uint32_t job);

    /// @param cluster a cluster
    /// @return free end points of each rack
    static std::vector<uint32_t> CountFree(const TrainingCluster& cluster);
};

} // namespace ns3::odcn

/**
 * @ingroup odcn
 *
 * Make a TrainingPlacement known by a name.
 * @param type its class, in namespace ns3::odcn or derived from one that is registered as such
 * @param name its name
 */
#define ODCN_REGISTER_TRAINING_PLACEMENT(type, name)                                               \
    [[maybe_unused]] static const bool g_registeredTrainingPlacement##type =                       \
        ::ns3::odcn::TrainingPlacement::Register(name, type::GetTypeId().GetName());

#endif /* ODCN_TRAINING_PLACEMENT_H */
