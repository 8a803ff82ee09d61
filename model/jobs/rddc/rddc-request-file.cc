// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-request-file.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <limits>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcRequestFile);

namespace
{

/// Columns, in the order of the table.
enum Column
{
    ARRIVAL,
    GAP
};

} // namespace

TypeId
RddcRequestFile::GetTypeId()
{
    using T = RddcRequestFile;
    static TypeId tid =
        TypeIdOf<RddcRequestFile, RddcRequestSource>("ns3::odcn::RddcRequestFile")
            .Add(Attribute("FileName", &T::m_name, ""), "Input file, may be gzip-compressed.")
            .Add(Attribute("Skip", &T::m_skip, 0),
                 "Requests at the beginning of the file that are left out.")
            .Add(Attribute("MeanGap", &T::m_meanGap, 0, 0),
                 "Mean gap, in request time units; 0 keeps that of the file.")
            .Add(Attribute("OfferedUnits", &T::m_offeredUnits, 0, 0),
                 "Long-run mean units in use of the resource in greater demand if no "
                 "request is blocked; 0 scales holding times as gaps.");
    return tid;
}

const CsvTable<RddcRequestRow>&
RddcRequestFile::GetTable()
{
    using Row = RddcRequestRow;
    using Number = CsvColumn<Row>;
    constexpr double MOST = std::numeric_limits<double>::max();
    constexpr double MOST_UNITS = 1e9;
    static const CsvTable<Row> TABLE{
        "request",
        {Number::Number("arrival", &Row::arrival, {}, CsvOrder::NOT_FALLING, CsvNeed::COLUMN),
         Number::Number("gap",
                        &Row::gap,
                        {0, MOST, "a number of 0 or more"},
                        CsvOrder::ANY,
                        CsvNeed::COLUMN),
         Number::Number("cpu", &Row::cpu, {0, MOST_UNITS}),
         Number::Number("memory", &Row::memory, {0, MOST_UNITS}, CsvOrder::ANY, CsvNeed::NOTHING),
         Number::Number("holding",
                        &Row::holding,
                        {std::numeric_limits<double>::denorm_min(), MOST, "a number above 0"})},
        CONVERTER_HINT};
    return TABLE;
}

int64_t
RddcRequestFile::AssignStreams(int64_t)
{
    m_pass.reset();
    return 0;
}

uint64_t
RddcRequestFile::Count() const
{
    CsvTableReader<RddcRequestRow> reader(m_name, GetTable());
    for (RddcRequestRow row; reader.Next(row);)
    {
    }
    return reader.GetNRead() - std::min(reader.GetNRead(), m_skip);
}

bool
RddcRequestFile::Read(Pass& pass, RddcRequestRow& row)
{
    if (!pass.reader.Next(row))
    {
        return false;
    }
    const RowReader& rows = pass.reader.GetRows();
    if (!rows.Has(GAP))
    {
        if (!rows.Has(ARRIVAL))
        {
            rows.Refuse(rows.GetLine(), "a header with a column arrival or gap");
        }
        row.gap = pass.arrival ? row.arrival - *pass.arrival : pass.firstGap;
        pass.arrival = row.arrival;
    }
    if (row.cpu == 0 && row.memory == 0)
    {
        rows.Refuse(rows.GetLine(), "more than 0 of cpu or memory");
    }
    return true;
}

RddcRequestFile::Scale
RddcRequestFile::FindScale() const
{
    Scale scale;
    if (m_meanGap == 0 && m_offeredUnits == 0)
    {
        return scale;
    }
    Pass pass{{m_name, GetTable()}};
    double first = 0;
    double span = 0;
    double cpu = 0;
    double memory = 0;
    const auto n = static_cast<double>(Count() + m_skip);
    for (RddcRequestRow row; Read(pass, row);)
    {
        // The first gap has no arrival at its beginning.
        const bool isFirst = pass.reader.GetNRead() == 1;
        first = isFirst ? row.arrival : first;
        span = pass.arrival ? row.arrival - first : isFirst ? 0 : span + row.gap;
        cpu += row.cpu * row.holding / n;
        memory += row.memory * row.holding / n;
    }
    if (span == 0)
    {
        throw OdcnError::InFile(m_name,
                                0,
                                "arrivals that are all at the same time",
                                "arrivals at two times or more, or MeanGap and OfferedUnits 0");
    }
    scale.meanGap = span / std::max(n - 1, 1.0);
    scale.gap = m_meanGap > 0 ? m_meanGap / scale.meanGap : 1;
    scale.holding = m_offeredUnits > 0
                        ? m_offeredUnits * scale.meanGap * scale.gap / std::max(cpu, memory)
                        : scale.gap;
    return scale;
}

bool
RddcRequestFile::Next(RddcRequest& request)
{
    RddcRequestRow row;
    if (!m_pass)
    {
        m_scale = FindScale();
        m_pass = std::make_unique<Pass>(Pass{{m_name, GetTable()}, m_scale.meanGap});
        for (uint64_t i = 0; i < m_skip && Read(*m_pass, row); ++i)
        {
        }
        if (m_scale.meanGap == 0)
        {
            m_pass->arrival.reset();
        }
    }
    if (!Read(*m_pass, row))
    {
        return false;
    }
    request = row;
    request.id = m_pass->reader.GetNRead() - 1 - m_skip;
    request.gap *= m_scale.gap;
    request.holding *= m_scale.holding;
    return true;
}

} // namespace ns3::odcn
