// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-placement.h"

#include "odcn-training-bytes.h"
#include "odcn-training-cluster.h"
#include "odcn-training-racks.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <map>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TrainingPlacement);

namespace
{

/// @return TypeId names of rules by their names
std::map<std::string, std::string>&
GetTrainingPlacementTypes()
{
    static std::map<std::string, std::string> types;
    return types;
}

} // namespace

TypeId
TrainingPlacement::GetTypeId()
{
    static TypeId tid = TypeIdOf<TrainingPlacement, Object>("ns3::odcn::TrainingPlacement");
    return tid;
}

bool
TrainingPlacement::Register(const std::string& name, const std::string& type)
{
    if (!GetTrainingPlacementTypes().emplace(name, type).second)
    {
        throw OdcnError::InOption("placement", name, "a name that no other one has");
    }
    return true;
}

std::vector<std::string>
TrainingPlacement::GetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, type] : GetTrainingPlacementTypes())
    {
        names.push_back(name);
    }
    return names;
}

Ptr<TrainingPlacement>
TrainingPlacement::Create(const std::string& text)
{
    ObjectText parsed = ObjectText::Parse("placement", text);
    const auto found = GetTrainingPlacementTypes().find(parsed.type);
    if (found != GetTrainingPlacementTypes().end())
    {
        parsed.type = found->second;
    }
    else
    {
        parsed.Resolve("placement", GetTypeId(), GetNames());
    }
    return DynamicCast<TrainingPlacement>(parsed.Create("placement", GetTypeId()));
}

void
TrainingPlacement::SetDesign(const FabricDesign& /* design */)
{
}

int64_t
TrainingPlacement::AssignStreams(int64_t /* stream */)
{
    return 0;
}

std::vector<uint32_t>
TrainingPlacement::GetFree(const TrainingCluster& cluster, const std::vector<uint32_t>& racks)
{
    std::vector<uint32_t> free;
    for (const uint32_t rack : racks)
    {
        const uint32_t begin = rack * cluster.GetPerRack();
        const uint32_t end = std::min(begin + cluster.GetPerRack(), cluster.GetNEndPoints());
        for (uint32_t place = begin; place < end; ++place)
        {
            if (cluster.IsFree(place))
            {
                free.push_back(place);
            }
        }
    }
    return free;
}

uint32_t
TrainingPlacement::GetNRanks(const TrainingCluster& cluster, uint32_t job)
{
    return cluster.GetOutcomes()[job].job->GetNRanks();
}

std::vector<uint32_t>
TrainingPlacement::CountFree(const TrainingCluster& cluster)
{
    std::vector<uint32_t> counts;
    for (uint32_t rack = 0; rack < cluster.GetNRacks(); ++rack)
    {
        counts.push_back(cluster.CountFreeOf(rack));
    }
    return counts;
}

/// End points of the racks with the fewest free ones.
///
/// @ingroup odcn
class PackingTrainingPlacement : public TrainingPlacement
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeIdOf<PackingTrainingPlacement, TrainingPlacement>(
            "ns3::odcn::PackingTrainingPlacement");
        return tid;
    }

    std::vector<uint32_t> Choose(const TrainingCluster& cluster, uint32_t job) override
    {
        std::vector<uint32_t> places =
            GetFree(cluster, TrainingRacks::GetFewestFirst(CountFree(cluster)));
        places.resize(GetNRanks(cluster, job));
        return places;
    }
};

NS_OBJECT_ENSURE_REGISTERED(PackingTrainingPlacement);
ODCN_REGISTER_TRAINING_PLACEMENT(PackingTrainingPlacement, "packing")

/// Any end points, in any order.
///
/// @ingroup odcn
class RandomTrainingPlacement : public TrainingPlacement
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeIdOf<RandomTrainingPlacement, TrainingPlacement>(
            "ns3::odcn::RandomTrainingPlacement");
        return tid;
    }

    RandomTrainingPlacement()
        : m_random(CreateObject<UniformRandomVariable>())
    {
    }

    std::vector<uint32_t> Choose(const TrainingCluster& cluster, uint32_t job) override
    {
        std::vector<uint32_t> places = GetFree(cluster, TrainingRacks::GetAll(cluster.GetNRacks()));
        const auto last = static_cast<uint32_t>(places.size() - 1);
        for (uint32_t i = 0; i < GetNRanks(cluster, job); ++i)
        {
            std::swap(places[i], places[m_random->GetInteger(i, last)]);
        }
        places.resize(GetNRanks(cluster, job));
        return places;
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_random->SetStream(stream);
        return 1;
    }

  private:
    Ptr<UniformRandomVariable> m_random; //!< draws end points
};

NS_OBJECT_ENSURE_REGISTERED(RandomTrainingPlacement);
ODCN_REGISTER_TRAINING_PLACEMENT(RandomTrainingPlacement, "random")

/// End points of the first rack that has enough; else of the racks with the most.
///
/// @ingroup odcn
class LocalityTrainingPlacement : public TrainingPlacement
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeIdOf<LocalityTrainingPlacement, TrainingPlacement>(
            "ns3::odcn::LocalityTrainingPlacement");
        return tid;
    }

    std::vector<uint32_t> Choose(const TrainingCluster& cluster, uint32_t job) override
    {
        const uint32_t ranks = GetNRanks(cluster, job);
        std::vector<uint32_t> places =
            GetFree(cluster, TrainingRacks::GetLocal(CountFree(cluster), ranks));
        places.resize(ranks);
        return places;
    }
};

NS_OBJECT_ENSURE_REGISTERED(LocalityTrainingPlacement);
ODCN_REGISTER_TRAINING_PLACEMENT(LocalityTrainingPlacement, "locality")

/// End points of the lowest indices.
///
/// @ingroup odcn
class FirstTrainingPlacement : public TrainingPlacement
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeIdOf<FirstTrainingPlacement, TrainingPlacement>(
            "ns3::odcn::FirstTrainingPlacement");
        return tid;
    }

    std::vector<uint32_t> Choose(const TrainingCluster& cluster, uint32_t job) override
    {
        std::vector<uint32_t> places = GetFree(cluster, TrainingRacks::GetAll(cluster.GetNRacks()));
        places.resize(GetNRanks(cluster, job));
        return places;
    }
};

NS_OBJECT_ENSURE_REGISTERED(FirstTrainingPlacement);
ODCN_REGISTER_TRAINING_PLACEMENT(FirstTrainingPlacement, "first")

/**
 * Ranks that send each other the most bytes in one rack. If no rack has enough free end points for
 * all, racks are filled one by one, that with the most first: with the rank left that sends and
 * receives the most, and then each time with that which exchanges the most bytes with those in the
 * rack. Of equals, the first.
 *
 * @ingroup odcn
 */
class MaxWeightTrainingPlacement : public TrainingPlacement
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeIdOf<MaxWeightTrainingPlacement, TrainingPlacement>(
            "ns3::odcn::MaxWeightTrainingPlacement");
        return tid;
    }

    std::vector<uint32_t> Choose(const TrainingCluster& cluster, uint32_t job) override
    {
        const std::vector<uint32_t> counts = CountFree(cluster);
        const std::vector<uint32_t> racks =
            TrainingRacks::GetTightest(counts, GetNRanks(cluster, job));
        std::vector<uint32_t> sizes;
        for (const uint32_t rack : racks)
        {
            sizes.push_back(counts[rack]);
        }
        const TrainingBytes bytes(*cluster.GetOutcomes()[job].job, cluster.GetAlgorithms());
        return bytes.Arrange(sizes, GetFree(cluster, racks));
    }
};

NS_OBJECT_ENSURE_REGISTERED(MaxWeightTrainingPlacement);
ODCN_REGISTER_TRAINING_PLACEMENT(MaxWeightTrainingPlacement, "max-weight")

} // namespace ns3::odcn
