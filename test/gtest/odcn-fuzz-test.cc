// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The fuzz targets of test/fuzz without libFuzzer. The build gives each of their functions the name
 * of its file.
 */

#include "../fuzz/odcn-fuzz-replay.h"

#include <gtest/gtest.h>

using namespace ns3::odcn;

extern "C"
{
    int icci_tide_fuzz(const uint8_t* data, std::size_t size);
    int odcn_alibaba_fuzz(const uint8_t* data, std::size_t size);
    int odcn_column_fuzz(const uint8_t* data, std::size_t size);
    int odcn_demand_matrix_fuzz(const uint8_t* data, std::size_t size);
    int odcn_fault_fuzz(const uint8_t* data, std::size_t size);
    int odcn_flow_fuzz(const uint8_t* data, std::size_t size);
    int odcn_job_file_fuzz(const uint8_t* data, std::size_t size);
    int odcn_linear_fuzz(const uint8_t* data, std::size_t size);
    int odcn_object_text_fuzz(const uint8_t* data, std::size_t size);
    int odcn_recipe_fuzz(const uint8_t* data, std::size_t size);
    int odcn_schedule_fuzz(const uint8_t* data, std::size_t size);
    int odcn_swf_fuzz(const uint8_t* data, std::size_t size);
    int otn_mesh_fuzz(const uint8_t* data, std::size_t size);
}

TEST(FuzzTest, JobFiles)
{
    FuzzReplay(odcn_job_file_fuzz, "odcn-job-file");
}

TEST(FuzzTest, ColumnMappedTraces)
{
    FuzzReplay(odcn_column_fuzz, "odcn-column");
}

TEST(FuzzTest, StandardWorkloadFormat)
{
    FuzzReplay(odcn_swf_fuzz, "odcn-swf");
}

TEST(FuzzTest, Recipes)
{
    FuzzReplay(odcn_recipe_fuzz, "odcn-recipe");
}

TEST(FuzzTest, AlibabaTraces)
{
    FuzzReplay(odcn_alibaba_fuzz, "odcn-alibaba");
}

TEST(FuzzTest, Meshes)
{
    FuzzReplay(otn_mesh_fuzz, "otn-mesh");
}

TEST(FuzzTest, FlowFilesAndSizes)
{
    FuzzReplay(odcn_flow_fuzz, "odcn-flow");
}

TEST(FuzzTest, DemandMatrices)
{
    FuzzReplay(odcn_demand_matrix_fuzz, "odcn-demand-matrix");
}

TEST(FuzzTest, ProfilesAndPackets)
{
    FuzzReplay(icci_tide_fuzz, "icci-tide");
}

TEST(FuzzTest, LinearPolicies)
{
    FuzzReplay(odcn_linear_fuzz, "odcn-linear");
}

TEST(FuzzTest, Schedules)
{
    FuzzReplay(odcn_schedule_fuzz, "odcn-schedule");
}

TEST(FuzzTest, Faults)
{
    FuzzReplay(odcn_fault_fuzz, "odcn-fault");
}

TEST(FuzzTest, TypesWithAttributes)
{
    FuzzReplay(odcn_object_text_fuzz, "odcn-object-text");
}
