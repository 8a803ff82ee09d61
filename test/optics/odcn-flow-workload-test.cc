// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-folder-test.h"

#include "ns3/odcn-flow-workload.h"

#include <chrono>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param name of a shipped CDF  @return its path
std::string
GetCdf(const std::string& name)
{
    return std::string(ODCN_DATA_DIR) + "/flow-cdf/" + name + ".csv";
}

/// @param path CDF file  @param interpolate reading  @return the integral of 1 - F
double
IntegrateTail(const std::string& path, bool interpolate)
{
    std::ifstream file(path);
    double area = 0;
    double lastBytes = 0;
    double lastCdf = 0;
    double bytes;
    double cdf;
    char comma;
    while (file >> bytes >> comma >> cdf)
    {
        // Midpoint rule in many steps; before the first point no size is smaller.
        constexpr int STEPS = 1000;
        for (int i = 0; i < STEPS; ++i)
        {
            const double part = (i + 0.5) / STEPS;
            const bool linear = interpolate && lastBytes > 0;
            const double below = linear ? lastCdf + part * (cdf - lastCdf) : lastCdf;
            area += (1 - below) * (bytes - lastBytes) / STEPS;
        }
        lastBytes = bytes;
        lastCdf = cdf;
    }
    return area;
}

/// A temporary file of each test.
class FlowFileTest : public FolderTest
{
  protected:
    /// @param text content of a CDF file  @return the error after the file's name, or nothing
    std::string GetCdfError(const std::string& text)
    {
        return Refuse([&] { FlowSizes sizes(Write(text)); });
    }

    /// @param text content of a flow file of 10 hosts  @return likewise
    std::string GetFlowError(const std::string& text)
    {
        return Refuse([&] { ReadFlowFile(Write(text), 10); });
    }
};

TEST(FlowSizes, MeanIsTheIntegralOfTheTailAndThatOfDraws)
{
    int64_t stream = 1;
    for (const char* name : {"websearch", "datamining", "hadoop", "google-rpc"})
    {
        for (const bool interpolate : {false, true})
        {
            FlowSizes sizes(GetCdf(name), interpolate);
            EXPECT_NEAR(sizes.GetMean() / IntegrateTail(GetCdf(name), interpolate), 1, 1e-9)
                << name;
            sizes.SetStream(stream++);
            SampleMean drawn;
            for (int i = 0; i < 200000; ++i)
            {
                drawn.Add(static_cast<double>(sizes.Draw()));
            }
            EXPECT_NEAR(drawn.Get(), sizes.GetMean(), 4 * drawn.GetError()) << name << interpolate;
        }
    }
    EXPECT_NEAR(FlowSizes(GetCdf("websearch")).GetMean(), 1490032.7, 0.1);
    EXPECT_NEAR(FlowSizes(GetCdf("websearch"), false).GetMean(), 1875927.9, 0.1);
}

TEST(FlowSizes, ANumberIsAConstant)
{
    FlowSizes sizes("100000");
    EXPECT_EQ(sizes.Draw(), 100000u);
    EXPECT_EQ(sizes.GetMean(), 100000);
    EXPECT_THROW(FlowSizes("0"), OdcnError);
    EXPECT_THROW(FlowSizes("99999999999999999999"), OdcnError);
    EXPECT_THROW(FlowSizes(""), OdcnError);
}

TEST_F(FlowFileTest, RefusesAMalformedCdfWithItsLine)
{
    EXPECT_EQ(GetCdfError("10,0\n20,0.5\n30,1\n"), "");
    EXPECT_EQ(GetCdfError("10,0\n10,1\n"),
              ":2: found '10', expected in column bytes more than in the row above");
    EXPECT_EQ(GetCdfError("10,0\n20,0.5\n30,0.5\n40,1\n"),
              ":3: found '0.5', expected in column cdf more than in the row above");
    EXPECT_EQ(GetCdfError("10,0\n20,1.5\n"),
              ":2: found '1.5', expected in column cdf a number from 0 to 1");
    EXPECT_EQ(GetCdfError("10,0\n20,0.9\n"), ":2: found '0.9', expected a last cdf of 1");
    EXPECT_EQ(GetCdfError("10 0\n"), ":1: found '10 0', expected 2 columns: bytes cdf");
    EXPECT_EQ(GetCdfError(""), ": found 'an empty file', expected a last cdf of 1");
}

TEST(FlowWorkload, OffersTheLoadOverTheMatrixAsAPoissonProcess)
{
    auto workload = CreateObject<FlowWorkload>();
    workload->SetAttribute("Load", DoubleValue(0.2));
    workload->SetAttribute("HostRate", DataRateValue(DataRate("10Gbps")));
    workload->SetAttribute("Sizes", StringValue(GetCdf("websearch")));
    workload->SetAttribute("Duration", TimeValue(Seconds(2)));
    EXPECT_EQ(workload->AssignStreams(10), 5);
    const auto demand = DemandMatrix::Make("chessboard", 16);
    const auto flows = workload->Generate(demand, 4);
    // Each of 16 racks offers 0.2 x 4 x 10 Gb/s.
    const double bytes = 16 * 0.2 * 4 * 10e9 / 8 * 2;
    const double expected = bytes / FlowSizes(GetCdf("websearch")).GetMean();
    EXPECT_NEAR(double(flows.size()), expected, 3 * std::sqrt(expected));
    double sum = 0;
    double squares = 0;
    double gaps = 0;
    int64_t last = 0;
    std::map<std::pair<uint32_t, uint32_t>, int> pairs;
    std::vector<int> hosts(64);
    for (const Traffic::Item& flow : flows)
    {
        sum += double(flow.bytes);
        squares += double(flow.bytes) * double(flow.bytes);
        const int64_t start = flow.start.GetNanoSeconds();
        ASSERT_GE(start, last);
        gaps += double(start - last) * double(start - last);
        last = start;
        ++pairs[{flow.from / 4, flow.to / 4}];
        ++hosts.at(flow.from);
        ++hosts.at(flow.to);
    }
    EXPECT_LT(last, 2000000000);
    EXPECT_NEAR(sum, bytes, 3 * std::sqrt(squares));
    // The second moment of exponential gaps is 2 / rate^2; its relative standard error is
    // sqrt(20) / 2 over the root of their number.
    const double meanGap = 2e9 / expected;
    EXPECT_NEAR(gaps / expected / (2 * meanGap * meanGap), 1, 4 * 2.24 / std::sqrt(expected));
    ForPairs(16,
             [&](RackId from, RackId to)
             {
                 const double share = expected / 16 * demand.Get(from, to);
                 EXPECT_NEAR((pairs[{from, to}]), share, 4.5 * std::sqrt(share));
             });
    for (const int count : hosts)
    {
        EXPECT_NEAR(count, 2 * expected / 64, 4.5 * std::sqrt(2 * expected / 64));
    }
}

TEST(FlowWorkload, TheBusiestRackHasTheLoadWhateverTheUnitOfTheMatrix)
{
    auto workload = CreateObject<FlowWorkload>();
    workload->SetAttribute("Load", DoubleValue(0.5));
    auto demand = DemandMatrix::Make("incast:3", 4);
    workload->AssignStreams(1);
    const auto flows = workload->Generate(demand, 2);
    demand.Scale(1e9);
    workload->AssignStreams(1);
    EXPECT_EQ(workload->Generate(demand, 2), flows);
    // Rack 0 receives 0.5 x 2 x 10 Gb/s for 1 s in flows of 100 kB.
    EXPECT_NEAR(double(flows.size()), 12500, 4 * std::sqrt(12500));
    for (const Traffic::Item& flow : flows)
    {
        ASSERT_LT(flow.to, 2u);
        ASSERT_GE(flow.from, 2u);
    }
    EXPECT_THROW(workload->Generate(DemandMatrix(4), 2), OdcnError);
    EXPECT_THROW(workload->Generate(demand, 0), OdcnError);
    workload->SetAttribute("Load", DoubleValue(0));
    EXPECT_TRUE(workload->Generate(demand, 2).empty());
}

TEST(FlowWorkload, RacksMayDifferInHostsAndRates)
{
    auto workload = CreateObject<FlowWorkload>();
    workload->SetAttribute("Load", DoubleValue(0.5));
    workload->SetAttribute("Duration", TimeValue(Seconds(2)));
    workload->AssignStreams(1);
    // Shares of the hosts' rate: 12/30 of rack 0, 8/10 of rack 1, 4/8 of rack 2.
    DemandMatrix demand(3);
    demand.Set(0, 1, 8);
    demand.Set(0, 2, 4);
    const std::vector<DataRate> rates{DataRate("10Gbps"), DataRate("10Gbps"), DataRate("2Gbps")};
    const auto flows = workload->Generate(demand, {3, 1, 4}, rates);
    std::vector<double> bits(8);
    for (const Traffic::Item& flow : flows)
    {
        ASSERT_LT(flow.from, 3u);
        bits.at(flow.from) += 8.0 * double(flow.bytes);
        bits.at(flow.to) += 8.0 * double(flow.bytes);
    }
    // Rack 1 receives half of its 10 Gb/s, and rack 2 half of that in flows of 0.8 Mb.
    const auto tolerance = [](double all) { return 4 * std::sqrt(all * 0.8e6); };
    EXPECT_NEAR(bits[3], 10e9, tolerance(10e9));
    for (const uint32_t host : {4, 5, 6, 7})
    {
        EXPECT_NEAR(bits[host], 1.25e9, tolerance(1.25e9));
    }
    EXPECT_NEAR(bits[2], 5e9, tolerance(5e9));
    EXPECT_THROW(workload->Generate(demand, {3, 1}), OdcnError);
    EXPECT_THROW(workload->Generate(demand, {3, 1, 4}, {DataRate("1Gbps")}), OdcnError);
    EXPECT_THROW(workload->Generate(demand, {3, 1, 0}), OdcnError);
}

TEST(FlowWorkload, LaterCallsGiveOtherFlows)
{
    const DemandMatrix uniform = DemandMatrix::Make("uniform", 4);
    const auto getSizes = [](const Traffic& flows)
    { return ListOf<uint64_t>(flows, [](const Traffic::Item& flow) { return flow.bytes; }); };
    const auto make = [&]
    {
        auto workload = CreateObject<FlowWorkload>();
        workload->SetAttribute("Sizes", StringValue(GetCdf("websearch")));
        workload->AssignStreams(5);
        return workload;
    };
    const auto workload = make();
    const auto first = getSizes(workload->Generate(uniform, 8));
    const auto second = getSizes(workload->Generate(uniform, 8));
    const std::size_t n = std::min(first.size(), second.size());
    ASSERT_GT(n, 100);
    const auto count = [&](const std::vector<uint64_t>& a, const std::vector<uint64_t>& b)
    {
        std::size_t equal = 0;
        for (std::size_t i = 0; i < n; ++i)
        {
            equal += a[i] == b[i];
        }
        return equal;
    };
    EXPECT_LT(count(first, second), n / 10);
    workload->SetAttribute("Interpolate", BooleanValue(false));
    workload->SetAttribute("Interpolate", BooleanValue(true));
    EXPECT_LT(count(first, getSizes(workload->Generate(uniform, 8))), n / 10);
    workload->SetAttribute("Sizes", StringValue(GetCdf("datamining")));
    workload->Generate(uniform, 8);
    workload->SetAttribute("Sizes", StringValue(GetCdf("websearch")));
    EXPECT_LT(count(first, getSizes(workload->Generate(uniform, 8))), n / 10) << "its own stream";
    // The same streams give the same flows again.
    workload->AssignStreams(5);
    EXPECT_EQ(getSizes(workload->Generate(uniform, 8)), first);
    EXPECT_EQ(getSizes(make()->Generate(uniform, 8)), first);
}

TEST(FlowWorkload, ShuffleJoinsAllHostsOfDifferentRacks)
{
    auto workload = CreateObject<FlowWorkload>();
    workload->AssignStreams(1);
    const auto flows = workload->Shuffle(3, 2, 100000);
    std::map<std::pair<uint32_t, uint32_t>, int> pairs;
    for (const Traffic::Item& flow : flows)
    {
        EXPECT_NE(flow.from / 2, flow.to / 2);
        EXPECT_EQ(flow.bytes, 100000u);
        EXPECT_EQ(flow.start, Time(0));
        ++pairs[{flow.from, flow.to}];
    }
    EXPECT_EQ(flows.size(), 6u * 4u);
    EXPECT_EQ(pairs.size(), flows.size());

    const auto spread = workload->Shuffle(3, 2, 100000, MicroSeconds(10));
    EXPECT_EQ(spread.size(), flows.size());
    Time last;
    for (const Traffic::Item& flow : spread)
    {
        EXPECT_GE(flow.start, last);
        last = flow.start;
    }
    EXPECT_GT(last, MicroSeconds(5));
    EXPECT_LT(last, MicroSeconds(10));
    EXPECT_THROW(workload->Shuffle(1, 2, 1), OdcnError);
    EXPECT_THROW(workload->Shuffle(2, 2, 0), OdcnError);
}

TEST_F(FlowFileTest, TenThousandFlowsAreWrittenAndReadBackInASecond)
{
    const auto begin = std::chrono::steady_clock::now();
    auto workload = CreateObject<FlowWorkload>();
    workload->SetAttribute("Load", DoubleValue(0.12));
    workload->SetAttribute("Sizes", StringValue(GetCdf("datamining")));
    workload->SetAttribute("Interpolate", BooleanValue(false));
    workload->AssignStreams(1);
    auto flows = workload->Generate(DemandMatrix::Make("uniform", 108), 6);
    ASSERT_GT(flows.size(), 10000u);
    Traffic::Item late = flows[7];
    late.start += NanoSeconds(1);
    flows.Add(late);
    WriteFlowFile(m_path, flows);
    EXPECT_EQ(ReadFlowFile(m_path, 648), flows);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST_F(FlowFileTest, RefusesAMalformedFlowWithItsLine)
{
    EXPECT_EQ(GetFlowError("0 1 100 0\r\n\n9\t3 1 2.125\n"), "");
    EXPECT_EQ(ReadFlowFile(m_path, 10),
              (Traffic{{0, 1, 100, Time(0)}, {9, 3, 1, PicoSeconds(2125)}}));
    EXPECT_EQ(GetFlowError("0 1 100 0\n10 1 100 0\n"),
              ":2: found '10', expected in column source a whole number from 0 to 9");
    EXPECT_EQ(GetFlowError("0 0 100 0\n"),
              ":1: found '0', expected in column destination another host than the source");
    EXPECT_EQ(GetFlowError("0 1 0 0\n"),
              ":1: found '0', expected in column bytes a whole number from 1 to 9007199254740992");
    EXPECT_EQ(GetFlowError("0 1 100 -5\n"),
              ":1: found '-5', expected in column start_ns a number from 0 to 9e+12");
    EXPECT_EQ(GetFlowError("# hosts, bytes, ns\n0 1 100 0 # the first\n#9 9 9 9\n9 3 1 2.125#"),
              "");
    EXPECT_EQ(ReadFlowFile(m_path, 10).size(), 2U);
    EXPECT_EQ(GetFlowError("0 1 # 100 0\n"),
              ":1: found '0 1 # 100 0', expected 4 columns: source destination bytes start_ns");
    for (const char* empty : {"", "\n\n", "# nothing\n"})
    {
        EXPECT_EQ(GetFlowError(empty), ": found 'the end of the file', expected at least one flow");
    }
    EXPECT_EQ(GetFlowError("0 1 100\n"),
              ":1: found '0 1 100', expected 4 columns: source destination bytes start_ns");
}

} // namespace
