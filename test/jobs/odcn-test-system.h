// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TEST_SYSTEM_H
#define ODCN_TEST_SYSTEM_H

/**
 * @file
 * Small data centres and job lists, for the tests of the layers from control to policy.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-scheduling.h"

namespace ns3::odcn
{

/// 1 Gb/s.
constexpr BitRate TEST_GBPS = 1'000'000'000;
/// Server of the ODCN paper.
inline const OdcnResources TEST_SERVER = OdcnResources::Of(32, 256, 3584);

/// Jobs from a list.
using ListedJobs = Listed<OdcnJobSource, OdcnJob>;

/// A random rack: often the previous one, often one that the mask allows, sometimes one that is
/// infeasible.
class RandomRack : public DecisionPolicy
{
  public:
    /**
     * @param seed of the choices
     * @param sticky probability of the previous VM's rack
     * @param careful probability of a choice within the mask
     */
    explicit RandomRack(uint64_t seed, double sticky = 0, double careful = 0)
        : m_random(seed),
          m_sticky(sticky),
          m_careful(careful)
    {
    }

    uint32_t Decide(const DecisionProblem& problem) override
    {
        const uint32_t n = problem.GetNActions();
        m_mask.assign(n, 1);
        if (Chance(m_careful))
        {
            problem.Mask(m_mask.data());
        }
        if (!Chance(m_sticky) || !m_mask[m_last])
        {
            // Search upwards from a random rack for one that is allowed.
            m_last = static_cast<uint32_t>(m_random() % n);
            for (uint32_t i = 0; i < n && !m_mask[m_last]; ++i)
            {
                m_last = (m_last + 1) % n;
            }
        }
        return m_last;
    }

  private:
    /// @param probability of true  @return true or false
    bool Chance(double probability)
    {
        return std::uniform_real_distribution<>()(m_random) < probability;
    }

    std::mt19937_64 m_random;    //!< for the choices
    double m_sticky;             //!< probability of the previous rack
    double m_careful;            //!< probability of a choice within the mask
    uint32_t m_last{0};          //!< previous choice
    std::vector<uint8_t> m_mask; //!< scratch
};

/// @param arrival t_j  @param duration T_j  @param vms Q_{j,k}
/// @param demands D_j  @return the job
inline OdcnJob
TestJob(double arrival,
        double duration,
        std::vector<OdcnResources> vms,
        std::vector<OdcnDemand> demands = {})
{
    return {0, arrival, duration, std::move(vms), std::move(demands)};
}

/// A data centre with its managers and decision problem.
struct TestSystem
{
    Ptr<NMgr> network{CreateObject<NMgr>()};                     //!< circuits
    Ptr<CsMgr> manager{CreateObject<CsMgr>()};                   //!< servers
    Ptr<OdcnScheduling> problem{CreateObject<OdcnScheduling>()}; //!< decisions

    /**
     * Circuits of 40 Gb/s, all-to-all with one each way between any two racks.
     *
     * @param racks |V|
     * @param serversPerRack M
     * @param server C_i
     */
    TestSystem(uint32_t racks, uint32_t serversPerRack, const OdcnResources& server)
    {
        network->SetAttribute("Racks", UintegerValue(racks));
        manager->SetNetwork(network);
        manager->SetAttribute("ServersPerRack", UintegerValue(serversPerRack));
        manager->SetAttribute("ServerCores", DoubleValue(server.Cores()));
        manager->SetAttribute("ServerMemory", DoubleValue(server.MemoryGb()));
        manager->SetAttribute("ServerDisk", DoubleValue(server.DiskGb()));
        problem->SetManager(manager);
    }

    /// @param jobs arrivals; afterwards the first one is at its first decision
    void Start(const std::vector<OdcnJob>& jobs)
    {
        Start(Ptr<OdcnJobSource>(CreateObject<ListedJobs>(jobs)));
    }

    /// @param source of arrivals; afterwards the first job is at its first decision
    void Start(const Ptr<OdcnJobSource>& source)
    {
        problem->SetJobSource(source);
        problem->Reset();
    }

    /// Set Attributes of the problem and its managers. @param settings "Name=value|Name=value"
    void Set(const std::string& settings)
    {
        SetParts(problem, settings);
    }

    /// Decide on jobs.
    /// @param jobs number
    /// @param policy decides
    void Run(int jobs, DecisionPolicy& policy)
    {
        for (int i = 0; i < jobs; ++i)
        {
            problem->RunJob(policy);
        }
    }

    /// Take several decisions. @param racks the choices
    void Act(const std::vector<RackId>& racks)
    {
        for (RackId rack : racks)
        {
            problem->Act(rack);
        }
    }

    /// @return all rewards not taken before
    std::vector<float> Rewards()
    {
        std::vector<float> rewards;
        problem->TakeRewards(rewards);
        return rewards;
    }

    /// @return the observation
    std::vector<float> Observe() const
    {
        return ObservationOf(*problem);
    }

    /// @return the mask
    std::vector<uint8_t> Mask() const
    {
        return MaskOf(*problem);
    }
};

/// @param load mean holding time  @param stream first stream  @return the paper's jobs
inline Ptr<OdcnJobGenerator>
TestGenerator(double load, int64_t stream)
{
    auto generator = CreateObject<OdcnJobGenerator>();
    generator->SetAttribute(
        "Duration",
        StringValue("ns3::ExponentialRandomVariable[Mean=" + std::to_string(load) + "]"));
    generator->AssignStreams(stream);
    return generator;
}

} // namespace ns3::odcn

#endif /* ODCN_TEST_SYSTEM_H */
