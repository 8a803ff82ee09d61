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
#include <utility>

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

/// Beyond this, numbers are not found one by one.
constexpr double MANY = 60;

/// @param random a generator  @return uniform, above 0 and below 1
double
DrawUniform(std::mt19937_64& random)
{
    return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
}

/// @param random a generator  @param mean of the number  @param none exp(-mean)  @return Poisson
uint32_t
DrawPoisson(std::mt19937_64& random, double mean, double none)
{
    if (mean > MANY)
    {
        return std::poisson_distribution<uint32_t>(mean)(random);
    }
    double left = DrawUniform(random);
    double chance = none;
    uint32_t n = 0;
    while (left > chance && n < 1000)
    {
        left -= chance;
        chance *= mean / ++n;
    }
    return n;
}

/**
 * @param random a generator
 * @param n how many there are
 * @param stay chance of each to stay
 * @param none powers of 1 - stay
 * @return how many stay
 */
uint32_t
DrawBinomial(std::mt19937_64& random, uint32_t n, double stay, const std::vector<double>& none)
{
    if (n >= none.size())
    {
        return std::binomial_distribution<uint32_t>(n, stay)(random);
    }
    double left = DrawUniform(random);
    double chance = none[n];
    uint32_t k = 0;
    while (left > chance && k < n)
    {
        left -= chance;
        chance *= (n - k) * stay / ((k + 1) * (1 - stay));
        ++k;
    }
    return k;
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
    // Of those present at a sample, each stays until the next; of those who come between, as many
    // are still there as a Poisson variable says.
    const double ratio = m_departureRate / 60 * m_step;
    const double stay = std::exp(-ratio);
    std::vector<double> leave{1};
    while (leave.size() < 2 * static_cast<std::size_t>(MANY))
    {
        leave.push_back(leave.back() * (1 - stay));
    }
    const Hours hours = GetHours();
    std::array<std::vector<std::pair<double, double>>, ICCI_AREAS> coming;
    for (std::size_t area = 0; area < ICCI_AREAS; ++area)
    {
        for (std::size_t k = 0; k < day.samples; ++k)
        {
            const double middle = (static_cast<double>(k) - 0.5) * m_step;
            const double present = m_peakRate / m_departureRate *
                                   Interpolate(hours, static_cast<IcciArea>(area), middle);
            // At midnight the system is as if it had been so for long.
            const double mean = k == 0 ? present : present * (1 - stay);
            coming[area].emplace_back(mean, std::exp(-mean));
        }
    }
    const auto cus = static_cast<int32_t>(std::llround(1000 * m_cusPerRequest));
    for (std::size_t centre = 0; centre < areas.size(); ++centre)
    {
        const uint64_t high = m_seeds->GetInteger(0, 0x7fffffff);
        std::mt19937_64 random(high << 31 | m_seeds->GetInteger(0, 0x7fffffff));
        int32_t* out = day.milli.data() + centre * day.samples;
        uint32_t present = 0;
        for (const auto& [mean, none] : coming[static_cast<std::size_t>(areas[centre])])
        {
            present = DrawBinomial(random, present, stay, leave) + DrawPoisson(random, mean, none);
            *out++ = cus * static_cast<int32_t>(present);
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
