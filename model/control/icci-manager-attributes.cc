// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The part of IcciManager that its users configure.
 */

#include "icci-manager.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciManager);

TypeId
IcciManager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::IcciManager")
            .SetParent<Object>()
            .SetGroupName("Odcn")
            .AddConstructor<IcciManager>()
            .AddAttribute("FlopPerGb",
                          "lambda, operations for a GB of training data.",
                          DoubleValue(1e12),
                          MakeDoubleAccessor(&IcciManager::m_flopPerGb),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("FlopsPerCu",
                          "rho, operations per second of a CU.",
                          DoubleValue(20e12),
                          MakeDoubleAccessor(&IcciManager::m_flopsPerCu),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("BitsPerWavelength",
                          "chi in bit/s.",
                          DoubleValue(1e11),
                          MakeDoubleAccessor(&IcciManager::m_bitsPerWavelength),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("ComputeShare",
                          "T_com as a share of T_com + T_trans when a task is deployed.",
                          DoubleValue(0.7),
                          MakeDoubleAccessor(&IcciManager::m_computeShare),
                          MakeDoubleChecker<double>(0.01, 0.99))
            .AddAttribute("CusPerCentre",
                          "N_v, CUs (GPUs) of a centre.",
                          UintegerValue(100),
                          MakeUintegerAccessor(&IcciManager::m_cusPerCentre),
                          MakeUintegerChecker<uint32_t>(1, 100000))
            .AddAttribute("Threshold",
                          "epsilon, share of its CUs in use from which on a centre is a hotspot.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&IcciManager::m_threshold),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("Search",
                          "Which rings are candidates: Swap (one or two workers leave hotspots), "
                          "Nearest (one moves to the nearest centre with room), All (all move to "
                          "the idlest centres) or Any (those in hotspots move anywhere).",
                          CompatEnumValue<Search>(Search::SWAP),
                          CompatEnumAccessor<Search>(&IcciManager::m_search),
                          MakeEnumChecker(Search::SWAP,
                                          "Swap",
                                          Search::NEAREST,
                                          "Nearest",
                                          Search::ALL,
                                          "All",
                                          Search::ANY,
                                          "Any"))
            .AddAttribute("Rings",
                          "K, candidate rings of a question.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&IcciManager::m_maxRings),
                          MakeUintegerChecker<uint32_t>(1, 100))
            .AddAttribute("Slots",
                          "M, times at which a migration may begin.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&IcciManager::m_nSlots),
                          MakeUintegerChecker<uint32_t>(1, 100))
            .AddAttribute("Links",
                          "L, ways of routing a ring; of the shortest paths of a hop so many are "
                          "looked at.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&IcciManager::m_nLinks),
                          MakeUintegerChecker<uint32_t>(1, 100))
            .AddAttribute("SlotGap",
                          "Seconds between slots.",
                          DoubleValue(600),
                          MakeDoubleAccessor(&IcciManager::m_slotGap),
                          MakeDoubleChecker<double>(0, 86400))
            .AddAttribute("MaxMoves",
                          "Migrations of a task at most.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&IcciManager::m_maxMoves),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("AskAgain",
                          "Seconds after an answer before the same task is asked about again.",
                          DoubleValue(3600),
                          MakeDoubleAccessor(&IcciManager::m_askAgain),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("Outlook",
                          "Hours over which the mean tide is looked at when rings are compared; 0 "
                          "looks at the present only.",
                          DoubleValue(24),
                          MakeDoubleAccessor(&IcciManager::m_outlook),
                          MakeDoubleChecker<double>(0, 24))
            .AddAttribute("HopWeight",
                          "Of a hop beside a percent of load, when the best rings are chosen.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&IcciManager::m_hopWeight),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("DistanceWeight",
                          "CUs that a hop weighs where first rings grow.",
                          DoubleValue(30),
                          MakeDoubleAccessor(&IcciManager::m_distanceWeight),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Noise",
                          "Half width in CUs of the uniform noise where first rings grow.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&IcciManager::m_noise),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("OeoTime",
                          "t_OEO, seconds of an optical-electrical-optical conversion.",
                          DoubleValue(1e-4),
                          MakeDoubleAccessor(&IcciManager::m_oeoTime),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("GpuTime",
                          "t_GPU, seconds that GPUs take to be switched.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&IcciManager::m_gpuTime),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("KmPerSecond",
                          "v_fiber.",
                          DoubleValue(2e5),
                          MakeDoubleAccessor(&IcciManager::m_kmPerSecond),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("ExtraWavelengths",
                          "That each hop of a task gets beyond N^bu where the choice is for more.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&IcciManager::m_extraWavelengths),
                          MakeUintegerChecker<uint32_t>(0, OtnMesh::MAX_WAVELENGTHS))
            .AddAttribute("BothWays",
                          "Whether a lightpath takes both fibres of a link; a ring needs one.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&IcciManager::m_bothWays),
                          MakeBooleanChecker())
            .AddTraceSource("Started",
                            "A migration begins: all that it needs is reserved.",
                            MakeTraceSourceAccessor(&IcciManager::m_startedTrace),
                            "ns3::odcn::IcciManager::StartedTracedCallback");
    return tid;
}

IcciManager::IcciManager() = default;

} // namespace odcn
} // namespace ns3
