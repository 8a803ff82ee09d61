// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-file.h"

#include "ns3/odcn-attributes.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnJobFile);

namespace
{

using JobColumn = CsvColumn<OdcnJob>;

/// Columns that a file may lack, by their place in the table.
enum OptionalColumn
{
    DEMANDS = 4,
    PAIRS
};

/// Smallest number above 0, and largest number.
constexpr double ABOVE_0 = std::numeric_limits<double>::denorm_min();
constexpr double MOST = std::numeric_limits<double>::max();

/// Parse the field vms. @param rows row  @param column its column  @param [out] job gets the VMs
void
ReadVms(const RowReader& rows, std::size_t column, OdcnJob& job, const OdcnJob* /* above */)
{
    std::vector<std::string_view> items;
    SplitText(rows[column], '|', items);
    job.vms.clear();
    for (std::string_view item : items)
    {
        const auto vm = ParseResources(item);
        if (!vm)
        {
            rows.Refuse(item, "in column vms a VM as cores:memory:disk, each from 0 to 10^9");
        }
        job.vms.push_back(*vm);
    }
}

/// Append the field vms. @param [in,out] text text to append to  @param job job
void
WriteVms(std::string& text, const OdcnJob& job)
{
    for (std::size_t i = 0; i < job.vms.size(); ++i)
    {
        text += i > 0 ? "|" : "";
        AppendResources(text, job.vms[i]);
    }
}

/// Reject a demand. @param rows row  @param item the demand  @param expected what is valid
[[noreturn]] void
RefuseDemand(const RowReader& rows, std::string_view item, const std::string& expected)
{
    rows.Refuse(item, "in column demands " + expected);
}

/// Parse the field demands or pairs. @param rows row  @param column its column
/// @param [in,out] job job with its VMs  @param rated whether rates follow the pairs
void
ReadDemands(const RowReader& rows, std::size_t column, OdcnJob& job, bool rated)
{
    job.demands.clear();
    if (rows[column].empty())
    {
        return;
    }
    const std::size_t vms = job.vms.size();
    std::vector<std::string_view> items;
    std::vector<uint64_t> pairs;
    SplitText(rows[column], '|', items);
    for (std::string_view item : items)
    {
        const std::size_t arrow = item.find('>');
        const std::size_t colon = rated ? item.find(':') : item.size();
        if (arrow == std::string_view::npos || colon == std::string_view::npos || colon < arrow)
        {
            RefuseDemand(rows, item, rated ? "a demand as from>to:rate" : "a pair as from>to");
        }
        const auto from = ParseCount(item.substr(0, arrow));
        const auto to = ParseCount(item.substr(arrow + 1, colon - arrow - 1));
        if (!from || !to || *from >= vms || *to >= vms)
        {
            RefuseDemand(rows, item, "a demand between VMs 0 to " + std::to_string(vms - 1));
        }
        if (*from == *to)
        {
            RefuseDemand(rows, item, "a demand between two different VMs");
        }
        const auto gbps = rated ? ParseFinite(item.substr(colon + 1)) : 1;
        if (!gbps || !(*gbps > 0 && *gbps <= OdcnPatternSource::MAX_DEMAND_GBPS) ||
            GbpsToBitRate(*gbps) == 0)
        {
            RefuseDemand(rows, item, "a demand with a rate above 0 and at most 10^6 Gb/s");
        }
        job.demands.push_back(
            {static_cast<uint32_t>(*from), static_cast<uint32_t>(*to), GbpsToBitRate(*gbps)});
        pairs.push_back(*from * vms + *to);
    }
    std::sort(pairs.begin(), pairs.end());
    const auto twice = std::adjacent_find(pairs.begin(), pairs.end());
    if (twice != pairs.end())
    {
        RefuseDemand(rows,
                     std::to_string(*twice / vms) + ">" + std::to_string(*twice % vms),
                     "each pair of VMs at most once in a job");
    }
}

/// Append the field demands or pairs. @param [in,out] text text to append to  @param job job
/// @param rated whether rates follow the pairs
void
WriteDemands(std::string& text, const OdcnJob& job, bool rated)
{
    for (std::size_t i = 0; i < job.demands.size(); ++i)
    {
        text += i > 0 ? "|" : "";
        AppendCount(text, job.demands[i].from);
        text += '>';
        AppendCount(text, job.demands[i].to);
        if (rated)
        {
            text += ':';
            AppendDecimal(text, job.demands[i].rate, 9);
        }
    }
}

} // namespace

TypeId
OdcnJobFile::GetTypeId()
{
    using T = OdcnJobFile;
    static TypeId tid =
        TypeIdBuilder(
            AddPatternAttributes(TypeIdOf<OdcnJobFile, OdcnJobSource>("ns3::odcn::OdcnJobFile")))
            .Add(Attribute("FileName", &T::SetFileName, &T::GetFileName, ""),
                 "Job file; setting it restarts the stream at the first job.")
            .Add(Attribute("ArrivalFactor", &T::m_arrivalFactor, 1, ABOVE_0, 1e9),
                 "Factor of the times of arrival; above 1 it lowers the load");
    return tid;
}

const CsvTable<OdcnJob>&
OdcnJobFile::GetTable()
{
    static const CsvTable<OdcnJob> TABLE{
        "job",
        {JobColumn::Number("job", &OdcnJob::id, {}, CsvOrder::RISING),
         JobColumn::Number("arrival",
                           &OdcnJob::arrival,
                           {0, MOST, "a number of 0 or more"},
                           CsvOrder::NOT_FALLING),
         JobColumn::Number("duration", &OdcnJob::duration, {ABOVE_0, MOST, "a number above 0"}),
         {"vms", ReadVms, WriteVms},
         {"demands",
          [](auto& rows, auto column, auto& job, auto*) { ReadDemands(rows, column, job, true); },
          [](auto& text, auto& job) { WriteDemands(text, job, true); },
          true},
         {"pairs",
          [](auto& rows, auto column, auto& job, auto*) { ReadDemands(rows, column, job, false); },
          [](auto& text, auto& job) { WriteDemands(text, job, false); },
          true}},
        CONVERTER_HINT};
    return TABLE;
}

CsvTableReader<OdcnJob>&
OdcnJobFile::Open()
{
    if (!m_reader)
    {
        m_reader = std::make_unique<CsvTableReader<OdcnJob>>(m_name, GetTable());
    }
    return *m_reader;
}

bool
OdcnJobFile::HasPairs()
{
    const RowReader& rows = Open().GetRows();
    return rows.Has(DEMANDS) || rows.Has(PAIRS);
}

bool
OdcnJobFile::Next(OdcnJob& job)
{
    if (!Open().Next(job))
    {
        return false;
    }
    job.arrival *= m_arrivalFactor;
    if (!HasPairs())
    {
        DrawPattern(job);
    }
    if (!m_reader->GetRows().Has(DEMANDS))
    {
        DrawRates(job);
    }
    return true;
}

int64_t
OdcnJobFile::AssignStreams(int64_t stream)
{
    m_reader.reset();
    if (Open().GetRows().Has(DEMANDS))
    {
        return 0;
    }
    return AssignPatternStreams(stream);
}

double
OdcnJobTotals::GetLoad() const
{
    return span > 0 ? duration / double(jobs) * double(jobs - 1) / span : 0;
}

OdcnJobTotals
OdcnJobFile::Examine() const
{
    CsvTableReader<OdcnJob> reader(m_name, GetTable());
    OdcnJobTotals totals;
    double first = 0;
    for (OdcnJob job; reader.Next(job);)
    {
        first = totals.jobs++ == 0 ? job.arrival : first;
        totals.span = job.arrival - first;
        totals.duration += job.duration;
    }
    return totals;
}

void
OdcnJobFile::SetFileName(const std::string& name)
{
    m_name = name;
    m_reader.reset();
}

std::string
OdcnJobFile::GetFileName() const
{
    return m_name;
}

} // namespace ns3::odcn
