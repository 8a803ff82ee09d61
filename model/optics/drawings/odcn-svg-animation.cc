// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-svg-animation.h"

#include "ns3/odcn-table.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>

namespace ns3::odcn
{

void
SvgAnimation::Begin(const TopologyDrawing& drawing, const std::vector<Rack>& racks)
{
    m_drawing = drawing;
    m_racks = racks;
    m_received.resize(racks.size());
    for (std::size_t i = 0; i < racks.size(); ++i)
    {
        m_rackOfPlace[racks[i].place] = i;
        m_peers.emplace_back(racks[i].opticals.size(), racks.size());
    }
    for (const auto& line : drawing.GetLines())
    {
        for (const auto& [host, tor] : {std::pair(line.a, line.b), std::pair(line.b, line.a)})
        {
            const auto rack = m_rackOfPlace.find(tor);
            if (drawing.GetPlaces()[host].kind == TopologyDrawing::Kind::HOST &&
                rack != m_rackOfPlace.end())
            {
                m_rackOfPlace[host] = rack->second;
            }
        }
    }
    m_first = Simulator::Now();
}

SvgAnimation::Path
SvgAnimation::GetPath(std::size_t rack, std::size_t to, uint32_t port) const
{
    return {std::min(rack, to), std::max(rack, to), m_racks[rack].opticals[port]};
}

void
SvgAnimation::AddCircuit(Time now, std::size_t rack, uint32_t port, std::size_t to)
{
    m_changes.insert(now);
    std::size_t& peer = m_peers[rack][port];
    if (peer < m_racks.size())
    {
        Circuit& circuit = m_circuits[GetPath(rack, peer, port)];
        if (--circuit.up == 0 && circuit.since < now)
        {
            circuit.times.emplace_back(circuit.since, now);
        }
    }
    peer = to;
    if (peer < m_racks.size())
    {
        Circuit& circuit = m_circuits[GetPath(rack, peer, port)];
        circuit.hue = port;
        if (circuit.up++ == 0)
        {
            circuit.since = now;
        }
    }
}

void
SvgAnimation::AddPacket(const Crossing& crossing)
{
    const auto to = m_rackOfPlace.find(crossing.to);
    if (to == m_rackOfPlace.end())
    {
        return;
    }
    if (crossing.uplink == NO_UPLINK)
    {
        if (m_racks[to->second].place != crossing.to)
        {
            m_received[to->second].emplace_back(crossing.arrival, crossing.size);
        }
        return;
    }
    const std::size_t from = m_rackOfPlace.at(crossing.from);
    auto& busy = m_circuits[GetPath(from, to->second, crossing.uplink)].busy;
    // A pause that is no longer than a few packets is not seen.
    const Time pause = 4 * (crossing.lastBit - crossing.firstBit);
    if (!busy.empty() && crossing.firstBit <= busy.back().second + pause)
    {
        busy.back().second = std::max(busy.back().second, crossing.arrival);
    }
    else
    {
        busy.emplace_back(crossing.firstBit, crossing.arrival);
    }
}

double
SvgAnimation::GetShare(Time time) const
{
    const double share = (time - m_first).GetSeconds() / (m_last - m_first).GetSeconds();
    return std::clamp(std::round(share * 1e5) / 1e5, 0.0, 1.0);
}

void
SvgAnimation::WriteSteps(const std::string& property,
                         const std::vector<Interval>& intervals,
                         const std::string& off,
                         const std::string& on) const
{
    std::map<double, std::string> values{{0, off}};
    for (const auto& [begin, end] : intervals)
    {
        values[GetShare(begin)] = on;
        values[GetShare(end)] = off;
    }
    values.erase(1.0); // not shown
    std::string times;
    std::string texts;
    for (const auto& [time, value] : values)
    {
        times += (times.empty() ? "" : ";") + FormatFixed(time, 5);
        texts += (texts.empty() ? "" : ";") + value;
    }
    m_os << "<animate attributeName=\"" << property << "\" calcMode=\"discrete\" dur=\""
         << TopologySvg::Format(m_seconds) << "s\" repeatCount=\"indefinite\" keyTimes=\"" << times
         << "\" values=\"" << texts << "\"/>";
}

void
SvgAnimation::WriteCircuit(const TopologySvg& svg, const Path& path, const Circuit& circuit) const
{
    const auto& [low, high, optical] = path;
    const TopologySvg::Point a = svg.GetCentre(m_racks[low].place);
    const TopologySvg::Point b = svg.GetCentre(m_racks[high].place);
    m_os << "<path class=\"circuit\" d=\"M" << TopologySvg::Format(a.x) << ","
         << TopologySvg::Format(a.y);
    if (optical == NO_PLACE)
    {
        m_os << " L";
    }
    else
    {
        // The quadratic curve that passes the optical switch halfway.
        const TopologySvg::Point middle = svg.GetCentre(optical);
        m_os << " Q" << TopologySvg::Format(2 * middle.x - (a.x + b.x) / 2) << ","
             << TopologySvg::Format(2 * middle.y - (a.y + b.y) / 2) << " ";
    }
    m_os << TopologySvg::Format(b.x) << "," << TopologySvg::Format(b.y)
         << "\" fill=\"none\" stroke=\"" << TopologyDrawing::GetHue(circuit.hue)
         << "\" stroke-width=\"0.6\" visibility=\"hidden\">";
    WriteSteps("visibility", circuit.times, "hidden", "visible");
    WriteSteps("stroke-width", circuit.busy, "0.6", "3");
    m_os << "</path>\n";
}

void
SvgAnimation::WriteBar(const TopologySvg& svg, std::size_t rack) const
{
    uint64_t all = 0;
    for (const auto& [time, bytes] : m_received[rack])
    {
        all += bytes;
    }
    if (all == 0)
    {
        return;
    }
    const TopologySvg::Point at = svg.GetCentre(m_racks[rack].place);
    const TopologySvg::Point half = svg.GetHalf(m_racks[rack].place);
    const double height = 0.4 * svg.GetFont();
    const auto bar = [&](double width, const char* hue)
    {
        m_os << "<rect class=\"received\" x=\"" << TopologySvg::Format(at.x - half.x) << "\" y=\""
             << TopologySvg::Format(at.y + half.y + 1) << "\" width=\""
             << TopologySvg::Format(width) << "\" height=\"" << TopologySvg::Format(height)
             << "\" fill=\"" << hue << "\">";
    };
    bar(2 * half.x, "#cbd5e1");
    m_os << "</rect>\n";
    bar(0, "#16a34a");
    uint64_t sum = 0;
    std::size_t next = 0;
    std::string times;
    std::string widths;
    for (int step = 0; step <= STEPS; ++step)
    {
        const double share = double(step) / STEPS;
        for (; next < m_received[rack].size() && GetShare(m_received[rack][next].first) <= share;
             ++next)
        {
            sum += m_received[rack][next].second;
        }
        times += (step == 0 ? "" : ";") + FormatFixed(share, 5);
        widths +=
            (step == 0 ? "" : ";") + TopologySvg::Format(2 * half.x * double(sum) / double(all));
    }
    m_os << "<animate attributeName=\"width\" dur=\"" << TopologySvg::Format(m_seconds)
         << "s\" repeatCount=\"indefinite\" keyTimes=\"" << times << "\" values=\"" << widths
         << "\"/></rect>\n";
}

void
SvgAnimation::WriteClock(const TopologySvg& svg, TopologySvg::Point at) const
{
    const Time step = (m_last - m_first) / STEPS;
    for (int i = 0; i < STEPS; ++i)
    {
        m_os << "<text class=\"clock\" x=\"" << TopologySvg::Format(at.x) << "\" y=\""
             << TopologySvg::Format(at.y) << "\" font-size=\""
             << TopologySvg::Format(1.3 * svg.GetFont()) << "\" visibility=\"hidden\">"
             << FormatFixed((m_first + step * i).GetSeconds() * 1e6, 0) << " us";
        WriteSteps("visibility",
                   {{m_first + step * i, m_first + step * (i + 1)}},
                   "hidden",
                   "visible");
        m_os << "</text>\n";
    }
}

void
SvgAnimation::End(Time now)
{
    m_last = std::max(now, m_first + NanoSeconds(1));
    m_seconds = std::clamp(0.5 * double(m_changes.size()), 6.0, 24.0);
    for (auto& [path, circuit] : m_circuits)
    {
        if (circuit.up > 0)
        {
            circuit.times.emplace_back(circuit.since, m_last);
        }
    }
    const TopologySvg svg(m_drawing);
    std::vector<TopologySvg::LegendRow> legend;
    std::set<std::pair<uint32_t, std::string>> opticals;
    for (const auto& [path, circuit] : m_circuits)
    {
        const uint32_t optical = std::get<2>(path);
        opticals.emplace(circuit.hue,
                         optical == NO_PLACE ? "uplink " + std::to_string(circuit.hue)
                                             : m_drawing.GetPlaces()[optical].label);
    }
    for (const auto& [hue, name] : opticals)
    {
        legend.push_back({TopologyDrawing::GetHue(hue), '-', "circuits of " + name});
    }
    legend.push_back({"#000000", '-', "no packets", false, 0.6});
    legend.push_back({"#000000", '-', "packets", false, 3});
    legend.push_back({"#16a34a", 's', "share received"});
    svg.Begin(m_os, legend);
    svg.WriteLines(m_os, false);
    for (const auto& [path, circuit] : m_circuits)
    {
        WriteCircuit(svg, path, circuit);
    }
    svg.WriteNodes(m_os);
    for (std::size_t rack = 0; rack < m_racks.size(); ++rack)
    {
        WriteBar(svg, rack);
    }
    svg.WriteLegend(m_os, legend);
    WriteClock(svg, svg.GetCorner());
    TopologySvg::End(m_os);
}

} // namespace ns3::odcn
