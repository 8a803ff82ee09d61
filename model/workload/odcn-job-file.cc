// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-file.h"

#include "odcn-job-pattern.h"

#include "ns3/odcn-error.h"
#include "ns3/string.h"

#include <algorithm>
#include <limits>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnJobFile);

namespace
{

/// Largest finite number.
constexpr double MOST = std::numeric_limits<double>::max();

} // namespace

TypeId
OdcnJobFile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnJobFile")
            .SetParent<OdcnJobSource>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnJobFile>()
            .AddAttribute("FileName",
                          "Job file; setting it restarts the stream at the first job.",
                          StringValue(""),
                          MakeStringAccessor(&OdcnJobFile::SetFileName, &OdcnJobFile::GetFileName),
                          MakeStringChecker());
    return tid;
}

void
OdcnJobFile::DoDispose()
{
    m_pass.reset();
    OdcnJobSource::DoDispose();
}

bool
OdcnJobFile::Next(OdcnJob& job)
{
    if (!m_pass)
    {
        m_pass = std::make_unique<Pass>(m_name);
    }
    return m_pass->Next(job);
}

int64_t
OdcnJobFile::AssignStreams([[maybe_unused]] int64_t stream)
{
    return 0;
}

uint64_t
OdcnJobFile::Check() const
{
    Pass pass(m_name);
    OdcnJob job;
    uint64_t jobs = 0;
    while (pass.Next(job))
    {
        ++jobs;
    }
    return jobs;
}

void
OdcnJobFile::SetFileName(const std::string& name)
{
    m_name = name;
    m_pass.reset();
}

std::string
OdcnJobFile::GetFileName() const
{
    return m_name;
}

OdcnJobFile::Pass::Pass(const std::string& name)
    : m_reader(name)
{
    const bool any = m_reader.NextRow();
    if (!any || m_reader.GetLine() != HEADER)
    {
        m_reader.Refuse(any ? m_reader.GetLine() : "an empty file",
                        "the header '" + std::string(HEADER) + "'");
    }
}

bool
OdcnJobFile::Pass::Next(OdcnJob& job)
{
    if (!m_reader.NextRow())
    {
        if (!m_any)
        {
            m_reader.Refuse("the end of the file", "at least one job");
        }
        return false;
    }
    constexpr double ABOVE_0 = std::numeric_limits<double>::denorm_min();
    m_reader.CheckWidth(5, "5 columns: " + std::string(HEADER));
    m_reader.ReadCount(0,
                       m_any ? m_lastId + 1 : 0,
                       UINT64_MAX,
                       "a job number above that of the line before",
                       job.id);
    m_reader.Read(1, {0, MOST, "an arrival time of 0 or more"}, job.arrival);
    m_reader.Read(1,
                  {m_lastArrival, MOST, "an arrival time not before that of the line above"},
                  job.arrival);
    m_reader.Read(2, {ABOVE_0, MOST, "a duration above 0"}, job.duration);
    ParseVms(m_reader[3], job);
    ParseDemands(m_reader[4], job);
    m_any = true;
    m_lastId = job.id;
    m_lastArrival = job.arrival;
    return true;
}

void
OdcnJobFile::Pass::ParseVms(std::string_view text, OdcnJob& job)
{
    SplitText(text, '|', m_items);
    job.vms.clear();
    for (std::string_view item : m_items)
    {
        const auto vm = ParseResources(item);
        if (!vm)
        {
            m_reader.Refuse(item, "a VM as cores:memory:disk, each from 0 to 10^9");
        }
        job.vms.push_back(*vm);
    }
}

void
OdcnJobFile::Pass::ParseDemands(std::string_view text, OdcnJob& job)
{
    job.demands.clear();
    m_pairs.clear();
    if (text.empty())
    {
        return;
    }
    SplitText(text, '|', m_items);
    for (std::string_view item : m_items)
    {
        const std::size_t arrow = item.find('>');
        const std::size_t colon = item.find(':');
        if (arrow == std::string_view::npos || colon == std::string_view::npos || colon < arrow)
        {
            m_reader.Refuse(item, "a demand as from>to:rate");
        }
        const auto from = ParseCount(item.substr(0, arrow));
        const auto to = ParseCount(item.substr(arrow + 1, colon - arrow - 1));
        const std::size_t vms = job.vms.size();
        if (!from || !to || *from >= vms || *to >= vms)
        {
            m_reader.Refuse(item, "a demand between VMs 0 to " + std::to_string(vms - 1));
        }
        if (*from == *to)
        {
            m_reader.Refuse(item, "a demand between two different VMs");
        }
        const auto gbps = ParseFinite(item.substr(colon + 1));
        if (!gbps || !(*gbps > 0 && *gbps <= MAX_DEMAND_GBPS) || GbpsToBitRate(*gbps) == 0)
        {
            m_reader.Refuse(item, "a demand with a rate above 0 and at most 10^6 Gb/s");
        }
        job.demands.push_back(
            {static_cast<uint32_t>(*from), static_cast<uint32_t>(*to), GbpsToBitRate(*gbps)});
        m_pairs.push_back(*from * vms + *to);
    }
    std::sort(m_pairs.begin(), m_pairs.end());
    const auto twice = std::adjacent_find(m_pairs.begin(), m_pairs.end());
    if (twice != m_pairs.end())
    {
        const std::size_t vms = job.vms.size();
        m_reader.Refuse(std::to_string(*twice / vms) + ">" + std::to_string(*twice % vms),
                        "each pair of VMs at most once in a job");
    }
}

OdcnJobFileWriter::OdcnJobFileWriter(const std::string& path)
    : m_file(path)
{
    m_file.Stream() << OdcnJobFile::HEADER << '\n';
}

void
OdcnJobFileWriter::Write(const OdcnJob& job)
{
    m_line.clear();
    AppendCount(m_line, job.id);
    m_line += ',';
    AppendDouble(m_line, job.arrival);
    m_line += ',';
    AppendDouble(m_line, job.duration);
    char separator = ',';
    for (const OdcnResources& vm : job.vms)
    {
        m_line += separator;
        AppendResources(m_line, vm);
        separator = '|';
    }
    separator = ',';
    for (const OdcnDemand& demand : job.demands)
    {
        m_line += separator;
        AppendCount(m_line, demand.from);
        m_line += '>';
        AppendCount(m_line, demand.to);
        m_line += ':';
        AppendDecimal(m_line, demand.rate, 9);
        separator = '|';
    }
    if (job.demands.empty())
    {
        m_line += ',';
    }
    m_line += '\n';
    m_file.Stream() << m_line;
}

void
OdcnJobFileWriter::Commit()
{
    m_file.Commit();
}

} // namespace ns3::odcn
