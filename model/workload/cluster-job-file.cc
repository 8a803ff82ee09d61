// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-job-file.h"

namespace ns3::odcn
{

namespace
{

/// Number of columns before the demands.
constexpr std::size_t FIXED = 2;
/// Largest arrival slot: far above any real trace, and small enough for exact sums in double.
constexpr uint64_t MAX_ARRIVAL = uint64_t{1} << 40;

/// @param resources number of resource types  @return the header line of a file
std::string
GetHeader(std::size_t resources)
{
    std::string header = "arrival,duration";
    for (std::size_t i = 0; i < resources; ++i)
    {
        header += ",demand_" + std::to_string(i);
    }
    return header;
}

} // namespace

ClusterJobReader::ClusterJobReader(const std::string& path)
    : m_reader(path)
{
    const bool any = m_reader.NextRow();
    const std::string_view line = any ? m_reader.GetLine() : std::string_view();
    for (std::size_t i = 1; i <= CLUSTER_RESOURCES; ++i)
    {
        m_resources = line == GetHeader(i) ? i : m_resources;
    }
    if (m_resources == 0)
    {
        m_reader.Refuse(any ? line : "an empty file",
                        "the header " + GetHeader(2) + " (one to four resources)");
    }
}

bool
ClusterJobReader::Next(ClusterJob& job)
{
    if (!m_reader.NextRow())
    {
        return false;
    }
    m_reader.CheckWidth(FIXED + m_resources, std::to_string(FIXED + m_resources) + " columns");
    const auto read = [this](std::size_t field, uint64_t least, uint64_t most)
    {
        uint64_t value = 0;
        m_reader.ReadCount(field, least, most, nullptr, value);
        return value;
    };
    job = {};
    job.id = m_next++;
    job.arrival = read(0, m_lastArrival, MAX_ARRIVAL);
    m_lastArrival = job.arrival;
    job.duration = static_cast<uint32_t>(read(1, 1, UINT32_MAX));
    for (std::size_t i = 0; i < m_resources; ++i)
    {
        job.demand[i] = static_cast<uint16_t>(read(FIXED + i, 0, CLUSTER_UNITS));
    }
    if (job.demand == ClusterDemand{})
    {
        m_reader.Refuse(m_reader.GetLine(), "a demand above 0");
    }
    return true;
}

ClusterJobWriter::ClusterJobWriter(const std::string& path, uint32_t resources)
    : m_file(path),
      m_resources(resources)
{
    m_file.Stream() << GetHeader(resources) << '\n';
}

void
ClusterJobWriter::Write(const ClusterJob& job)
{
    m_line.clear();
    AppendCount(m_line, job.arrival);
    m_line += ',';
    AppendCount(m_line, job.duration);
    for (uint32_t i = 0; i < m_resources; ++i)
    {
        m_line += ',';
        AppendCount(m_line, job.demand[i]);
    }
    m_file.Stream() << m_line << '\n';
}

void
ClusterJobWriter::Commit()
{
    m_file.Commit();
}

} // namespace ns3::odcn
