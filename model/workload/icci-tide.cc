// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-tide.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciTide);

namespace
{

constexpr std::size_t HOURS = IcciTide::HOURS;

/// Weekday means of Xu et al. 2017, each over its own maximum.
constexpr std::array<double, HOURS> OFFICE{
    0.1677, 0.1205, 0.0875, 0.0652, 0.0552, 0.0668, 0.1112, 0.3225, 0.7438, 0.9576, 0.9987, 1.0000,
    0.9963, 0.9942, 0.9693, 0.9020, 0.7759, 0.5840, 0.4434, 0.3924, 0.3688, 0.3441, 0.3071, 0.2442,
};

/// Likewise.
constexpr std::array<double, HOURS> RESIDENTIAL{
    0.5292, 0.3410, 0.2424, 0.1852, 0.1604, 0.1777, 0.2968, 0.4208, 0.4875, 0.5434, 0.5928, 0.6175,
    0.6222, 0.6285, 0.6420, 0.6597, 0.6888, 0.7659, 0.8612, 0.9250, 0.9696, 1.0000, 0.9646, 0.8033,
};

/// @param random a generator  @return exponential of mean 1
double
DrawExponential(std::mt19937_64& random)
{
    return -std::log((static_cast<double>(random() >> 11) + 0.5) * 0x1p-53);
}

} // namespace

TypeId
IcciTide::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::IcciTide")
            .SetParent<Object>()
            .SetGroupName("Odcn")
            .AddConstructor<IcciTide>()
            .AddAttribute("PeakRate",
                          "Requests a minute at the peak of a business area, in each centre.",
                          DoubleValue(150),
                          MakeDoubleAccessor(&IcciTide::m_peakRate),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("DepartureRate",
                          "At which a request leaves, per minute.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&IcciTide::m_departureRate),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("CusPerRequest",
                          "CUs that a request takes.",
                          DoubleValue(4.5),
                          MakeDoubleAccessor(&IcciTide::m_cusPerRequest),
                          MakeDoubleChecker<double>(0, 1e4))
            .AddAttribute("Sharpness",
                          "Power to which the residential profile is raised.",
                          DoubleValue(2.9),
                          MakeDoubleAccessor(&IcciTide::m_sharpness),
                          MakeDoubleChecker<double>(0, 100))
            .AddAttribute("OtherScale",
                          "Peak of the other areas as a share of the business peak.",
                          DoubleValue(0.4),
                          MakeDoubleAccessor(&IcciTide::m_otherScale),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Floor",
                          "Least share of the business peak, anywhere at any time.",
                          DoubleValue(0.15),
                          MakeDoubleAccessor(&IcciTide::m_floor),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Step",
                          "Seconds between samples of the load; a day is a multiple of it.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&IcciTide::m_step),
                          MakeDoubleChecker<double>(0.1, 3600));
    return tid;
}

IcciTide::IcciTide()
    : m_seeds(CreateObject<UniformRandomVariable>())
{
}

IcciTide::Hours
IcciTide::GetHours() const
{
    Hours hours;
    double most = 0;
    for (std::size_t hour = 0; hour < HOURS; ++hour)
    {
        hours[0][hour] = OFFICE[hour];
        hours[1][hour] = std::pow(RESIDENTIAL[hour], m_sharpness);
        hours[2][hour] = hours[0][hour] + hours[1][hour];
        most = std::max(most, hours[2][hour]);
    }
    for (double& share : hours[2])
    {
        share *= m_otherScale / most;
    }
    return hours;
}

double
IcciTide::Interpolate(const Hours& hours, IcciArea area, double time) const
{
    const double middle = time / 3600 - 0.5;
    const double before = std::floor(middle);
    const double weight = middle - before;
    const double wrapped = before - HOURS * std::floor(before / HOURS);
    const auto first = static_cast<std::size_t>(wrapped);
    const auto& of = hours[static_cast<std::size_t>(area)];
    return std::max(m_floor, (1 - weight) * of[first] + weight * of[(first + 1) % HOURS]);
}

double
IcciTide::GetProfile(IcciArea area, double time) const
{
    return Interpolate(GetHours(), area, time);
}

double
IcciTide::GetMeanRequests(IcciArea area, double time) const
{
    return m_peakRate / m_departureRate * GetProfile(area, time);
}

IcciBackground
IcciTide::Draw(const std::vector<IcciArea>& areas)
{
    IcciBackground day;
    day.step = m_step;
    day.samples = static_cast<std::size_t>(std::llround(DAY / m_step));
    if (std::abs(static_cast<double>(day.samples) * m_step - DAY) > 1e-6)
    {
        throw OdcnError::InOption("Step", std::to_string(m_step), "a divisor of 86400 s");
    }
    day.milli.assign(areas.size() * day.samples, 0);
    const auto samples = static_cast<int64_t>(day.samples);
    const double stay = 60 / m_departureRate / m_step;
    // Long enough before midnight that nobody of then is missed.
    const auto warmUp = static_cast<int64_t>(std::ceil(20 * stay));
    const Hours hours = GetHours();
    std::array<std::vector<double>, ICCI_AREAS> mass;
    for (std::size_t area = 0; area < ICCI_AREAS; ++area)
    {
        for (int64_t k = -warmUp; k < samples; ++k)
        {
            const double middle = (static_cast<double>(k) + 0.5) * m_step;
            mass[area].push_back(m_peakRate / 60 * m_step *
                                 Interpolate(hours, static_cast<IcciArea>(area), middle));
        }
    }
    const auto cus = static_cast<int32_t>(std::llround(1000 * m_cusPerRequest));
    for (std::size_t centre = 0; centre < areas.size(); ++centre)
    {
        const uint64_t high = m_seeds->GetInteger(0, 0x7fffffff);
        std::mt19937_64 random(high << 31 | m_seeds->GetInteger(0, 0x7fffffff));
        int32_t* out = day.milli.data() + centre * day.samples;
        double next = DrawExponential(random);
        for (int64_t k = -warmUp; k < samples; ++k)
        {
            // The load of a step: those who are there at its beginning.
            const double arrivals =
                mass[static_cast<std::size_t>(areas[centre])][static_cast<std::size_t>(k + warmUp)];
            for (; next < arrivals; next += DrawExponential(random))
            {
                const double from = static_cast<double>(k) + next / arrivals;
                const double until = from + stay * DrawExponential(random);
                const auto first = std::max<int64_t>(0, static_cast<int64_t>(std::ceil(from)));
                const auto last = std::min(samples, static_cast<int64_t>(std::ceil(until)));
                for (int64_t i = first; i < last; ++i)
                {
                    out[i] += cus;
                }
            }
            next -= arrivals;
        }
    }
    return day;
}

int64_t
IcciTide::AssignStreams(int64_t stream)
{
    m_seeds->SetStream(stream);
    return 1;
}

} // namespace odcn
} // namespace ns3
