// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-job-generator.h"

#include <chrono>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param stream first stream number  @return a generator with the paper's parameters
Ptr<OdcnJobGenerator>
Generator(int64_t stream = 1)
{
    auto generator = CreateObject<OdcnJobGenerator>();
    generator->AssignStreams(stream);
    return generator;
}

/// @param generator source  @param count number of jobs  @return the next jobs
std::vector<OdcnJob>
Take(const Ptr<OdcnJobGenerator>& generator, std::size_t count)
{
    std::vector<OdcnJob> jobs(count);
    for (OdcnJob& job : jobs)
    {
        EXPECT_TRUE(generator->Next(job));
    }
    return jobs;
}

/// @param text a variable as ns-3 writes it  @return the variable
StringValue
Constant(double value)
{
    return StringValue("ns3::ConstantRandomVariable[Constant=" + std::to_string(value) + "]");
}

/// @param jobs jobs  @return pairs of the first one
std::set<std::pair<uint32_t, uint32_t>>
Pairs(const OdcnJob& job)
{
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (const OdcnDemand& demand : job.demands)
    {
        EXPECT_NE(demand.from, demand.to);
        EXPECT_LT(demand.from, job.vms.size());
        EXPECT_LT(demand.to, job.vms.size());
        EXPECT_TRUE(pairs.insert({demand.from, demand.to}).second) << "a pair appears twice";
    }
    return pairs;
}

/// @param pattern name  @param vms number of VMs  @return pairs of a job in sorted order
std::set<std::pair<uint32_t, uint32_t>>
SortedPairs(const std::string& pattern, uint32_t vms)
{
    auto generator = Generator();
    generator->SetAttribute("Pattern", StringValue(pattern));
    generator->SetAttribute("PatternOrder", StringValue("sorted"));
    generator->SetAttribute("VmCount", Constant(vms));
    return Pairs(Take(generator, 1)[0]);
}

TEST(OdcnJobGeneratorTest, OffersThePapersLoad)
{
    // The offered work is a sum over jobs of duration x demand: its interval is over jobs.
    SampleMean gap;
    SampleMean duration;
    SampleMean vms;
    SampleMean gbps;
    SampleMean work[3];
    double last = 0;
    auto generator = Generator();
    OdcnJob job;
    for (JobId id = 0; id < 400000; ++id)
    {
        ASSERT_TRUE(generator->Next(job));
        ASSERT_EQ(job.id, id);
        gap.Add(job.arrival - last);
        last = job.arrival;
        duration.Add(job.duration);
        vms.Add(job.vms.size());
        OdcnResources sum = SumOf<OdcnResources>(job.vms, std::identity());
        work[0].Add(sum.Cores() * job.duration);
        work[1].Add(sum.MemoryGb() * job.duration);
        work[2].Add(sum.DiskGb() * job.duration);
        for (const OdcnDemand& demand : job.demands)
        {
            gbps.Add(BitRateToGbps(demand.rate));
        }
    }
    EXPECT_NEAR(gap.Get(), 1, 4 * gap.GetError());
    EXPECT_NEAR(duration.Get(), 66, 4 * duration.GetError());
    EXPECT_NEAR(vms.Get(), 15.5, 4 * vms.GetError());
    EXPECT_NEAR(gbps.Get(), 7, 4 * gbps.GetError());
    // Mean VM: 13 cores, 72.75 GB, 980 GB. 16 x 32 servers of 32 cores, 256 GB and 3584 GB.
    const double vm[3] = {13, 72.75, 980};
    const double server[3] = {32, 256, 3584};
    const double percent[3] = {81.2, 56.8, 54.6};
    for (int i = 0; i < 3; ++i)
    {
        const double capacity = 16 * 32 * server[i];
        const double offered = 100 * work[i].Get() / capacity;
        const double half = 100 * 4 * work[i].GetError() / capacity;
        EXPECT_NEAR(offered, 100 * 66 * 15.5 * vm[i] / capacity, half);
        EXPECT_NEAR(offered, percent[i], half + 0.05);
        EXPECT_LT(half, 1);
    }
}

TEST(OdcnJobGeneratorTest, KeepsTheRangesOfThePaper)
{
    std::map<std::size_t, int> sizes;
    std::map<double, int> cores;
    for (const OdcnJob& job : Take(Generator(), 20000))
    {
        ++sizes[job.vms.size()];
        EXPECT_EQ(job.demands.size(), job.vms.size());
        for (const OdcnDemand& demand : job.demands)
        {
            EXPECT_GE(demand.rate, GbpsToBitRate(6));
            EXPECT_LE(demand.rate, GbpsToBitRate(8));
        }
        for (const OdcnResources& vm : job.vms)
        {
            ++cores[vm.Cores()];
        }
        EXPECT_TRUE(std::is_sorted(job.vms.begin(),
                                   job.vms.end(),
                                   [](const OdcnResources& a, const OdcnResources& b)
                                   { return a.milli > b.milli; }));
    }
    ASSERT_EQ(sizes.size(), 12u);
    EXPECT_EQ(sizes.begin()->first, 10u);
    EXPECT_EQ(sizes.rbegin()->first, 21u);
    for (const auto& [size, count] : sizes)
    {
        // Binomial, p = 1/12: 20000 p +- 5 sigma.
        EXPECT_NEAR(count, 20000 / 12., 5 * std::sqrt(20000 / 12. * 11 / 12.)) << size;
    }
    ASSERT_EQ(cores.size(), 2u);
    const double total = cores[4] + cores[16];
    EXPECT_NEAR(cores[4] / total, 0.25, 5 * std::sqrt(0.25 * 0.75 / total));
}

TEST(OdcnJobGeneratorTest, SameStreamsSameJobs)
{
    EXPECT_EQ(Take(Generator(7), 200), Take(Generator(7), 200));
    EXPECT_NE(Take(Generator(7), 200), Take(Generator(70), 200));
    EXPECT_EQ(Generator()->AssignStreams(100), 7);
}

TEST(OdcnJobGeneratorTest, ChoicesAreIndependent)
{
    const auto base = Take(Generator(), 300);
    const std::vector<std::pair<std::string, StringValue>> changes{
        {"InterArrival", Constant(2)},
        {"Duration", Constant(3)},
        {"DemandGbps", Constant(1)},
        {"Pattern", StringValue("random-p")},
        {"PatternOrder", StringValue("sorted")},
        {"VmTypes", StringValue("1:2:3,4:5:6,7:8:9,10:11:12")},
    };
    for (const auto& [name, value] : changes)
    {
        auto generator = Generator();
        generator->SetAttribute(name, value);
        const auto jobs = Take(generator, base.size());
        EXPECT_NE(jobs, base) << name;
        for (std::size_t i = 0; i < base.size(); ++i)
        {
            EXPECT_EQ(jobs[i].arrival == base[i].arrival, name != "InterArrival") << name;
            EXPECT_EQ(jobs[i].duration == base[i].duration, name != "Duration") << name;
            EXPECT_EQ(jobs[i].vms == base[i].vms, name != "VmTypes") << name;
            EXPECT_EQ(Pairs(jobs[i]) == Pairs(base[i]), name.find("Pattern") != 0) << name;
        }
    }
}

TEST(OdcnJobGeneratorTest, DrawsPatterns)
{
    using Set = std::set<std::pair<uint32_t, uint32_t>>;
    EXPECT_EQ(SortedPairs("ring", 3), (Set{{0, 1}, {1, 2}, {2, 0}}));
    EXPECT_EQ(SortedPairs("bidirectional-ring", 4),
              (Set{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 2}, {3, 0}, {0, 3}}));
    EXPECT_EQ(SortedPairs("tree", 4), (Set{{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 3}, {3, 1}}));
    EXPECT_EQ(SortedPairs("star", 3), (Set{{0, 1}, {1, 0}, {0, 2}, {2, 0}}));
    EXPECT_EQ(SortedPairs("full-mesh", 15).size(), 15u * 14u);
    EXPECT_EQ(SortedPairs("shuffle", 5), (Set{{0, 3}, {0, 4}, {1, 3}, {1, 4}, {2, 3}, {2, 4}}));
    EXPECT_EQ(SortedPairs("shuffle", 1).size(), 0u);
    for (const char* name : {"ring", "bidirectional-ring", "tree", "star", "full-mesh"})
    {
        EXPECT_EQ(SortedPairs(name, 1).size(), 0u) << name;
        EXPECT_EQ(SortedPairs(name, 2), (Set{{0, 1}, {1, 0}})) << name;
    }
}

TEST(OdcnJobGeneratorTest, MixedJobsHaveOnePatternOfSix)
{
    const std::size_t n = 1500;
    const auto draw = [n](const std::string& pattern)
    {
        auto generator = Generator();
        generator->SetAttribute("VmCount", Constant(15));
        generator->SetAttribute("Pattern", StringValue(pattern));
        EXPECT_EQ(generator->AssignStreams(7), pattern == "mixed" ? 8 : 7);
        return Take(generator, n);
    };
    const auto mixed = draw("mixed");
    // Patterns have a stream of their own: a mixed job is that of its pattern, but for rates.
    std::vector<std::string> left(n, "random-p");
    std::map<std::string, double> jobs;
    for (const std::string name : {"ring", "bidirectional-ring", "tree", "star", "full-mesh"})
    {
        const auto own = draw(name);
        for (std::size_t i = 0; i < n; ++i)
        {
            EXPECT_EQ(mixed[i].arrival, own[i].arrival);
            EXPECT_EQ(mixed[i].duration, own[i].duration);
            EXPECT_EQ(mixed[i].vms, own[i].vms);
            left[i] = Pairs(mixed[i]) == Pairs(own[i]) ? name : left[i];
        }
    }
    double demands = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        ++jobs[left[i]];
        demands += mixed[i].demands.size();
    }
    ASSERT_EQ(jobs.size(), 6u);
    for (const auto& [name, count] : jobs)
    {
        // Binomial, p = 1/6: n p +- 5 sigma.
        EXPECT_NEAR(count, n / 6., 5 * std::sqrt(n / 6. * 5 / 6.)) << name;
    }
    // A job of 15 VMs has 15, 30, 28, 28, 0.2 x 210 or 210 demands: 353 / 6 with a sigma of 68.2.
    EXPECT_NEAR(demands / n, 353 / 6., 5 * 68.2 / std::sqrt(n));
}

TEST(OdcnJobGeneratorTest, RandomPatternHasItsProbability)
{
    for (double p : {0.0, 0.3, 1.0})
    {
        auto generator = Generator();
        generator->SetAttribute("Pattern", StringValue("random-p"));
        generator->SetAttribute("PatternProbability", DoubleValue(p));
        double pairs = 0;
        double demands = 0;
        for (const OdcnJob& job : Take(generator, 500))
        {
            pairs += job.vms.size() * (job.vms.size() - 1);
            demands += Pairs(job).size();
        }
        EXPECT_NEAR(demands / pairs, p, 5 * std::sqrt(p * (1 - p) / pairs));
    }
}

TEST(OdcnJobGeneratorTest, RandomOrderIsUniform)
{
    // Three VMs have two rings; four VMs six: each must appear equally often.
    auto generator = Generator();
    generator->SetAttribute("VmCount", Constant(4));
    std::map<std::set<std::pair<uint32_t, uint32_t>>, int> rings;
    const int n = 30000;
    for (const OdcnJob& job : Take(generator, n))
    {
        ++rings[Pairs(job)];
    }
    ASSERT_EQ(rings.size(), 6u);
    for (const auto& [ring, count] : rings)
    {
        EXPECT_NEAR(count, n / 6., 5 * std::sqrt(n / 6. * 5 / 6.));
    }
}

TEST(OdcnJobGeneratorTest, EndsAfterMaxJobs)
{
    auto generator = Generator();
    generator->SetAttribute("MaxJobs", UintegerValue(3));
    Take(generator, 3);
    OdcnJob job;
    EXPECT_FALSE(generator->Next(job));
    EXPECT_FALSE(generator->Next(job));
}

TEST(OdcnJobGeneratorTest, RefusesBadSettings)
{
    const std::vector<std::pair<std::string, std::string>> settings{
        {"Pattern", "rings"},
        {"Pattern", ""},
        {"PatternOrder", "reverse"},
        {"VmTypes", ""},
        {"VmTypes", "4:15"},
        {"VmTypes", "4:15:80:1"},
        {"VmTypes", "4:15:80,"},
        {"VmTypes", "4:-15:80"},
        {"VmTypes", "4:nan:80"},
        {"VmTypes", "4:1e300:80"},
    };
    for (const auto& [name, value] : settings)
    {
        auto generator = Generator();
        EXPECT_THROW(generator->SetAttribute(name, StringValue(value)), OdcnError) << value;
        // Earlier settings are still in force.
        EXPECT_EQ(Take(generator, 5), Take(Generator(), 5));
    }
}

TEST(OdcnJobGeneratorTest, RefusesImpossibleDraws)
{
    const std::vector<std::pair<std::string, double>> settings{
        {"InterArrival", -1},
        {"Duration", 0},
        {"Duration", -5},
        {"VmCount", 0},
        {"VmType", 1},
        {"VmType", -0.1},
        {"DemandGbps", 0},
        {"DemandGbps", -6},
        {"DemandGbps", 1e9},
    };
    for (const auto& [name, value] : settings)
    {
        auto generator = Generator();
        generator->SetAttribute(name, Constant(value));
        OdcnJob job;
        const std::string error = GetRefusal([&] { generator->Next(job); });
        EXPECT_EQ(error.find(name + ": found '"), 0u) << error;
    }
}

TEST(OdcnJobGeneratorTest, IsQuickAndReusesMemory)
{
    auto generator = Generator();
    OdcnJob job;
    job.vms.reserve(21);
    job.demands.reserve(21);
    const auto* vms = job.vms.data();
    const auto* demands = job.demands.data();
    const int n = 200000;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < n; ++i)
    {
        generator->Next(job);
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(job.vms.data(), vms);
    EXPECT_EQ(job.demands.data(), demands);
    RecordProperty("ns_per_job", static_cast<int>(time.count() / n));
    // About 1 us when measured; the bound only detects a change of order.
    EXPECT_LT(time.count() / n, 20000);
}

} // namespace
