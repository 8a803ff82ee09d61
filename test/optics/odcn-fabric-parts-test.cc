// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Parts of designs, and their power and price, by hand.
 */

#include "../core/odcn-test-kit.h"

#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fabric-parts.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace ns3::odcn
{
namespace
{

/// @param text of a design
/// @param size its size
/// @return its parts by kind
std::map<FabricParts::Kind, uint64_t>
CountByKind(const std::string& text, const FabricSize& size)
{
    const FabricDesign design = FabricDesign::Parse(text, size);
    const Ptr<CircuitSchedule> schedule =
        design.IsScheduled() ? design.MakeSchedule(DemandMatrix::Make("uniform", size.racks), 0)
                             : nullptr;
    std::map<FabricParts::Kind, uint64_t> sums;
    for (const FabricParts::Count& count : FabricParts::CountParts(design, schedule))
    {
        sums[count.kind] += count.number;
    }
    return sums;
}

TEST(FabricParts, CountsAreThoseByHand)
{
    using Counts = std::map<FabricParts::Kind, uint64_t>;
    using P = FabricParts;
    const FabricSize size{.racks = 8, .servers = 2, .uplinks = 3};
    EXPECT_EQ(CountByKind("electrical;ideal", size), (Counts{{P::NIC, 16}, {P::PORT, 16}}));
    // Switches of 4 ports: 8 x 2 links below, 4 pods of 2 x 2 links above.
    EXPECT_EQ(CountByKind("electrical;fat-tree", size),
              (Counts{{P::NIC, 16}, {P::PORT, 16 + 64}, {P::TRANSCEIVER, 64}}));
    // One spine.
    EXPECT_EQ(CountByKind("electrical;clos", size),
              (Counts{{P::NIC, 16}, {P::PORT, 16 + 16}, {P::TRANSCEIVER, 16}}));
    EXPECT_EQ(CountByKind("RoundRobinSchedule;DirectRouting", size),
              (Counts{{P::NIC, 16}, {P::PORT, 16 + 24}, {P::TRANSCEIVER, 24}, {P::OCS, 24}}));
    EXPECT_EQ(CountByKind("ExpanderSchedule;ExpanderRouting;more", size),
              (Counts{{P::NIC, 16}, {P::PORT, 16 + 32}, {P::TRANSCEIVER, 32}}));
    // One of three uplinks goes to a packet switch.
    EXPECT_EQ(
        CountByKind("RoundRobinSchedule;ClassRouting[Short=ElectricalRouting|Bulk="
                    "ValiantRouting];hybrid",
                    size),
        (Counts{{P::NIC, 16}, {P::PORT, 16 + 16 + 16}, {P::TRANSCEIVER, 16 + 16}, {P::OCS, 16}}));
}

TEST(FabricParts, PowerAndPriceAreThoseOfTheTable)
{
    const std::string path = testing::TempDir() + "odcn-parts.csv";
    const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
    const std::string rows = "part,gbps,watts,price\nnic,100,8,300\nnic,10,4,100\nport,10,2,50\n"
                             "transceiver,10,1,20\n# short\nocs,100,0.5,400\n";
    write(rows);
    const FabricParts parts(path);
    // 2 cards of the next rate listed, 3 ports, 4 transceivers, 5 ports of an optical switch.
    const std::vector<FabricParts::Count> counts{{FabricParts::NIC, 25, 2},
                                                 {FabricParts::PORT, 10, 3},
                                                 {FabricParts::TRANSCEIVER, 10, 4},
                                                 {FabricParts::OCS, 10, 5}};
    EXPECT_DOUBLE_EQ(parts.GetPower(counts), 16 + 6 + 4 + 2.5);
    EXPECT_DOUBLE_EQ(parts.GetPrice(counts), 600 + 150 + 80 + 2000);
    EXPECT_THROW(parts.GetPower({{FabricParts::PORT, 25, 1}}), OdcnError);
    for (const std::string& wrong : {std::string("part,gbps,watts,price\nnic,10,4,100\n"),
                                     std::string("part,gbps,watts\n"),
                                     rows + "laser,10,1,1\n",
                                     rows + "port,0,1,1\n",
                                     rows + "port,10,-1,1\n",
                                     rows + "port,10,1,x\n"})
    {
        write(wrong);
        EXPECT_THROW(FabricParts{path}, OdcnError) << wrong;
    }
    EXPECT_GT(FabricParts(GetDataFile("fabric-parts.csv")).GetPower(counts), 0);
}

} // namespace
} // namespace ns3::odcn
