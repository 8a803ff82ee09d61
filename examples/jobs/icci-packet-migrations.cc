// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Random migrations of workers at packet level, compared with Eq. 16 of the DeepHM paper.
 *
 * Each site of the mesh has a GPU centre. One after the other, workers move from a random host of
 * a random centre to one of another centre, over a new lightpath with a random number of
 * wavelengths: their parameters are sent as real packets, scaled down. Each line compares the
 * downtime measured by the application, rescaled, with the formula.
 *
 *     ./ns3 run icci-packet-migrations
 *     ./ns3 run "icci-packet-migrations --scale=1e-3 --migrations=5"
 */

#include "ns3/icci-bulk-migration-application.h"
#include "ns3/icci-plane-helper.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"
#include "ns3/otn-mesh.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Options, with their defaults.
struct Options
{
    uint32_t migrations{20};                            //!< number of migrations
    uint32_t gpus{100};                                 //!< hosts per centre
    uint32_t wavelengths{5};                            //!< maximum per migration (mb)
    double scale{1e-4};                                 //!< fraction of the bytes that is sent
    double fewest{70};                                  //!< minimum GB of parameters
    double most{200};                                   //!< maximum GB of parameters
    std::string mesh{GetDataFile("sf-bay-22-38.json")}; //!< file
};

/// A migration is complete.
/// @param all gets it
void
Done(std::vector<BulkMigration>* all, const BulkMigration& migration)
{
    all->push_back(migration);
    // Let the message to the new place arrive.
    Simulator::Stop(MilliSeconds(5));
}

/// Run the migrations, and print a line for each.
void
Run(const Options& options)
{
    const auto mesh = OtnMesh::Read(options.mesh);
    const uint32_t sites = mesh->GetNSites();
    OdcnCommandLine::Check(sites > 1, "mesh", options.mesh, "a mesh of two sites or more");

    IcciPlaneOptions planeOptions;
    planeOptions.gpus = options.gpus;
    planeOptions.wavelengths = options.wavelengths;
    const auto plane = IcciPlaneHelper::Build(mesh, planeOptions);
    const auto& control = plane->GetControl();

    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    Table table(
        {"from", "to", "hops", "km", "wavelengths", "GB", "measured\ns", "Eq. 16\ns", "gap\n%"});
    std::vector<double> gaps;
    double largest = 0;
    for (uint32_t i = 0; i < options.migrations; ++i)
    {
        const uint32_t a = random->GetInteger(0, sites - 1);
        const uint32_t b = (a + random->GetInteger(1, sites - 1)) % sites;
        const uint32_t from = random->GetInteger(0, options.gpus - 1);
        const uint32_t to = random->GetInteger(0, options.gpus - 1);
        const uint32_t mb = random->GetInteger(1, options.wavelengths);
        const double gigabytes = random->GetValue(options.fewest, options.most);

        const Ptr<OtnLightpath> lightpath = control->SetUp(a, b, mb);
        if (!lightpath)
        {
            throw OdcnError::InOption("--wavelengths",
                                      std::to_string(mb),
                                      "as many as fibres have");
        }
        plane->Connect(lightpath);
        const auto [source, target] =
            plane->AddMove({a, from}, {b, to}, gigabytes * 1e9, options.scale, MilliSeconds(50));
        std::vector<BulkMigration> done;
        source->TraceConnectWithoutContext("Done", MakeBoundCallback(&Done, &done));
        // Time for lightpath set-up and TCP's handshake.
        Simulator::Schedule(MilliSeconds(50), &BulkMigrationApplication::Migrate, source);
        Simulator::Run();
        if (done.size() != 1 || target->GetResumed() != 1)
        {
            throw OdcnError("a migration was not done exactly once");
        }

        const double km = mesh->GetKm(lightpath->GetFibers(0));
        const double eq16 = gigabytes * 8 / (100.0 * mb) + km * 1e3 / 2e8 + 2 * 100e-6 + 50e-3;
        const double measured = done.front().GetUnscaled().GetSeconds();
        const double gap = 100 * (measured / eq16 - 1);
        gaps.push_back(gap);
        largest = std::max(largest, std::abs(gap));
        table.AddRow({mesh->GetSite(a).name,
                      mesh->GetSite(b).name,
                      std::to_string(lightpath->GetFibers(0).size()),
                      FormatFixed(km, 1),
                      std::to_string(mb),
                      FormatFixed(gigabytes, 1),
                      FormatFixed(measured, 4),
                      FormatFixed(eq16, 4),
                      FormatFixed(gap, 3)});
        plane->Disconnect(lightpath);
        control->TearDown(lightpath);
    }
    table.Print(std::cout);

    const PacketCounts counts = plane->Count();
    std::cout << "\nMeasured beside Eq. 16: " << FormatEstimate(MeanOfReplications(gaps))
              << " % on average, " << FormatFixed(largest, 3) << " % at most. "
              << "Scale " << options.scale << ", " << counts.sent << " packets, "
              << counts.GetMissing() << " missing.\n";
    Simulator::Destroy();
    plane->Dispose();
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Options o;
    OdcnCommandLine cmd(
        argc,
        argv,
        "Random migrations of workers in packets, beside Eq. 16 of the DeepHM paper.");
    cmd.AddRange("migrations", "Number of migrations", o.migrations, 1U, 10000U);
    cmd.AddValue("gpus", "GPUs per centre", o.gpus);
    cmd.AddRange("wavelengths", "Maximum wavelengths per migration", o.wavelengths, 1U, 40U);
    cmd.AddRange("scale", "Fraction of the bytes that is sent", o.scale, 1e-9, 1.0);
    cmd.AddValue("fewest", "Minimum GB of parameters per worker", o.fewest);
    cmd.AddRange("most", "Maximum GB of parameters per worker", o.most, 0.0, 1e6);
    cmd.AddValue("mesh", "File of the mesh: X.json or X.nodes.csv", o.mesh);
    cmd.Parse();
    OdcnCommandLine::Check(o.most * o.scale <= 0.4,
                           "scale",
                           o.scale,
                           "no more than 400 MB of a worker to be sent");
    OdcnCommandLine::Check(o.fewest > 0 && o.fewest <= o.most,
                           "fewest",
                           o.fewest,
                           "above 0, and at most what --most says");
    Time::SetResolution(Time::PS);
    Run(o);
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
