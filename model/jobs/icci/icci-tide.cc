// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-tide.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-row-reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciTide);

namespace
{

constexpr std::size_t HOURS = IcciTide::HOURS;

/// Weekday means of Xu et al. 2017 for offices, normalised to their maximum.
constexpr std::array<double, HOURS> OFFICE{
    0.1677, 0.1205, 0.0875, 0.0652, 0.0552, 0.0668, 0.1112, 0.3225, 0.7438, 0.9576, 0.9987, 1.0000,
    0.9963, 0.9942, 0.9693, 0.9020, 0.7759, 0.5840, 0.4434, 0.3924, 0.3688, 0.3441, 0.3071, 0.2442,
};

/// Weekday means of residential areas, normalised as OFFICE.
constexpr std::array<double, HOURS> RESIDENTIAL{
    0.5292, 0.3410, 0.2424, 0.1852, 0.1604, 0.1777, 0.2968, 0.4208, 0.4875, 0.5434, 0.5928, 0.6175,
    0.6222, 0.6285, 0.6420, 0.6597, 0.6888, 0.7659, 0.8612, 0.9250, 0.9696, 1.0000, 0.9646, 0.8033,
};

/// Largest mean of a Poisson number that is drawn from a table.
constexpr double MANY = 60;

/// Requests present from which on no table tells how many stay.
constexpr uint32_t MOST_PRESENT = 120;

/// Ends a distribution; larger than any probability.
constexpr double NEVER = 2;

/// A probability below the resolution of sums near 1.
constexpr double NO_PROBABILITY = 1e-18;

/// @param random generator  @return uniform number in (0, 1)
double
DrawUniform(std::mt19937_64& random)
{
    return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
}

/// Cumulative probabilities of the numbers 0, 1, ...
using Sums = std::vector<double>;

/// @param mean mean, at most MANY
/// @param [out] sums the Poisson distribution
void
SetPoisson(double mean, Sums& sums)
{
    sums.clear();
    double chance = std::exp(-mean);
    double sum = 0;
    double next = 1;
    while (static_cast<double>(sums.size()) < mean || chance > NO_PROBABILITY)
    {
        sum += chance;
        sums.push_back(sum);
        chance *= mean / next++;
    }
}

/// @param n trials
/// @param stay probability of success
/// @param [out] sums the binomial distribution
void
SetBinomial(uint32_t n, double stay, Sums& sums)
{
    sums.clear();
    double chance = std::pow(1 - stay, n);
    double sum = 0;
    for (uint32_t k = 0; k < n; ++k)
    {
        sum += chance;
        sums.push_back(sum);
        chance *= (n - k) * stay / ((k + 1) * (1 - stay));
    }
}

/// Distributions from which numbers are drawn by a guide table (Chen and Asau 1974).
class LawTable
{
  public:
    /// @param sums the next distribution
    void Add(const Sums& sums)
    {
        m_begins.push_back(m_sums.size());
        m_sums.insert(m_sums.end(), sums.begin(), sums.end());
        m_sums.push_back(NEVER);
        const double* const of = m_sums.data() + m_begins.back();
        uint8_t n = 0;
        for (std::size_t guide = 0; guide <= GUIDES; ++guide)
        {
            while (of[n] < static_cast<double>(guide) / GUIDES)
            {
                ++n;
            }
            m_guides.push_back(n);
        }
    }

    /// @return number of distributions
    std::size_t GetN() const
    {
        return m_begins.size();
    }

    /// @param law number of a distribution
    /// @param uniform from 0 to 1
    /// @return the number at that quantile
    uint32_t LookUp(std::size_t law, double uniform) const
    {
        const double* const of = m_sums.data() + m_begins[law];
        uint32_t n = m_guides[law * (GUIDES + 1) + static_cast<std::size_t>(uniform * GUIDES)];
        while (of[n] < uniform)
        {
            ++n;
        }
        return n;
    }

  private:
    /// Parts of equal probability, for each of which the least number is known.
    static constexpr std::size_t GUIDES = 64;

    Sums m_sums;                       //!< of all distributions, each ended by NEVER
    std::vector<std::size_t> m_begins; //!< [distribution] its first sum
    std::vector<uint8_t> m_guides;     //!< [distribution][part] least number
};

} // namespace

TypeId
IcciTide::GetTypeId()
{
    using T = IcciTide;
    static TypeId tid =
        TypeIdOf<IcciTide, Object>("ns3::odcn::IcciTide")
            .Add(Attribute("PeakRate", &T::m_peakRate, 150, 0, 1e6),
                 "Peak requests per minute in a business area, in each centre.")
            .Add(Attribute("DepartureRate", &T::m_departureRate, 10, 1e-6),
                 "Departure rate of each request, per minute.")
            .Add(Attribute("CusPerRequest", &T::m_cusPerRequest, 4.5, 0, 1e4), "CUs per request.")
            .Add(Attribute("Sharpness", &T::m_sharpness, 2.9, 0, 100),
                 "Power to which the residential profile is raised.")
            .Add(Attribute("OtherScale", &T::m_otherScale, 0.4, 0, 1),
                 "Peak of the other areas as a share of the business peak.")
            .Add(Attribute("Floor", &T::m_floor, 0.15, 0, 1),
                 "Minimum of all profiles, as a share of the business peak.")
            .Add(Attribute("Profiles", &T::SetProfiles, &T::GetProfiles, ""),
                 "CSV file with the profiles by hour and area (hour, business, "
                 "residential, other; shares of PeakRate), instead of the measured ones, "
                 "Sharpness and OtherScale.")
            .Add(Attribute("Step", &T::m_step, 10, 0.1, 600),
                 "Sampling interval of the load in seconds; it divides the 600 s over which "
                 "hotspots "
                 "are judged. The distributions of "
                 "all samples are kept: 7 MB for 10 s, 0.4 GB for 0.1 s.")
            .Add(Attribute("Remember", &T::m_remember, 0, 0, 10000),
                 "Number of days kept in memory (0.8 MB each for 22 centres), for reuse "
                 "when the same streams are assigned again.");
    return tid;
}

IcciTide::IcciTide()
    : m_seeds(CreateObject<UniformRandomVariable>())
{
}

void
IcciTide::SetProfiles(const std::string& name)
{
    std::optional<Hours> read;
    if (!name.empty())
    {
        read.emplace();
        std::array<bool, HOURS> known{};
        RowReader reader(name);
        reader.ReadHeader({{"hour"}, {"business"}, {"residential"}, {"other"}});
        while (reader.NextRow())
        {
            reader.CheckWidth();
            const uint64_t hour = reader.Count(0, 0, HOURS - 1);
            if (std::exchange(known[hour], true))
            {
                reader.RefuseField(0, "each hour once");
            }
            for (std::size_t area = 0; area < OTN_AREAS; ++area)
            {
                (*read)[area][hour] = reader.Number(1 + area, {0, 1});
            }
        }
        if (std::find(known.begin(), known.end(), false) != known.end())
        {
            reader.Refuse("the end of the file", "all hours from 0 to 23");
        }
    }
    m_read = read;
    m_name = name;
}

std::string
IcciTide::GetProfiles() const
{
    return m_name;
}

IcciTide::Hours
IcciTide::GetHours() const
{
    if (m_read)
    {
        return *m_read;
    }
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

IcciTide::Rates
IcciTide::GetRates() const
{
    return {GetHours(), {m_peakRate, m_departureRate, m_floor, m_step}};
}

double
IcciTide::Interpolate(const Hours& hours, OtnArea area, double time) const
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
IcciTide::GetProfile(OtnArea area, double time) const
{
    return Interpolate(GetHours(), area, time);
}

double
IcciTide::GetMeanRequests(OtnArea area, double time) const
{
    return m_peakRate / m_departureRate * GetProfile(area, time);
}

/// Of all days with the same profiles and rates: how many requests stay and come at a sample.
struct IcciTide::Laws
{
    Rates rates;            //!< what they depend on
    std::size_t samples{0}; //!< in a day
    double stay{0};         //!< probability that a request present is so at the next sample
    LawTable staying;       //!< [requests present] number that stay
    LawTable coming;        //!< number that come, for each mean that is at most MANY
    /// [sample][area] mean number that come, and its law.
    std::vector<std::array<std::pair<double, std::size_t>, OTN_AREAS>> means;
};

std::shared_ptr<const IcciTide::Laws>
IcciTide::FindLaws(const Rates& rates)
{
    // Problems that learn at the same time, and replications after each other, share the last ones.
    static std::mutex lock;
    static std::shared_ptr<const Laws> last;
    const std::lock_guard guard(lock);
    if (!last || last->rates != rates)
    {
        last = MakeLaws(rates);
    }
    return last;
}

std::shared_ptr<const IcciTide::Laws>
IcciTide::MakeLaws(const Rates& rates) const
{
    auto laws = std::make_shared<Laws>();
    laws->rates = rates;
    laws->samples = static_cast<std::size_t>(std::llround(DAY / m_step));
    if (std::abs(static_cast<double>(laws->samples) * m_step - DAY) > 1e-6)
    {
        throw OdcnError::InOption("Step", std::to_string(m_step), "a divisor of 86400 s");
    }
    // Requests present at a sample stay until the next one with equal probability (binomial); the
    // number of requests that arrive in between and are still present is Poisson.
    laws->stay = std::exp(-m_departureRate / 60 * m_step);
    Sums sums;
    for (uint32_t n = 0; n < MOST_PRESENT; ++n)
    {
        SetBinomial(n, laws->stay, sums);
        laws->staying.Add(sums);
    }
    laws->means.resize(laws->samples);
    for (std::size_t k = 0; k < laws->samples; ++k)
    {
        const double middle = (static_cast<double>(k) - 0.5) * m_step;
        for (std::size_t area = 0; area < OTN_AREAS; ++area)
        {
            auto& [mean, law] = laws->means[k][area];
            mean = m_peakRate / m_departureRate *
                   Interpolate(rates.first, static_cast<OtnArea>(area), middle);
            // At midnight the system is in its stationary state.
            mean *= k == 0 ? 1 : 1 - laws->stay;
            if (k > 0 && laws->means[k - 1][area].first == mean)
            {
                law = laws->means[k - 1][area].second;
            }
            else if (mean <= MANY)
            {
                law = laws->coming.GetN();
                SetPoisson(mean, sums);
                laws->coming.Add(sums);
            }
        }
    }
    return laws;
}

std::shared_ptr<const IcciBackground>
IcciTide::Draw(const std::vector<OtnArea>& areas)
{
    std::vector<uint64_t> seeds;
    for (const OtnArea area : areas)
    {
        const uint64_t high = m_seeds->GetInteger(0, 0x7fffffff);
        seeds.push_back(high << 31 | m_seeds->GetInteger(0, 0x7fffffff));
        seeds.push_back(static_cast<uint64_t>(area));
    }
    const Rates rates = GetRates();
    if (!m_laws || m_laws->rates != rates)
    {
        m_laws = FindLaws(rates);
        m_days.clear();
    }
    Key key{std::move(seeds), m_cusPerRequest};
    const auto found = std::find_if(m_days.begin(),
                                    m_days.end(),
                                    [&](const auto& day) { return day.first == key; });
    if (found != m_days.end())
    {
        return found->second;
    }
    auto day = std::make_shared<const IcciBackground>(Make(areas, key.first));
    if (m_remember > 0)
    {
        m_days.emplace_front(std::move(key), day);
        m_days.resize(std::min<std::size_t>(m_days.size(), m_remember));
    }
    return day;
}

IcciBackground
IcciTide::Make(const std::vector<OtnArea>& areas, const std::vector<uint64_t>& seeds) const
{
    IcciBackground day;
    day.step = m_step;
    day.samples = m_laws->samples;
    day.milli.assign(areas.size() * day.samples, 0);
    const auto cus = static_cast<int32_t>(std::llround(1000 * m_cusPerRequest));
    std::vector<std::mt19937_64> random;
    random.reserve(areas.size());
    for (std::size_t centre = 0; centre < areas.size(); ++centre)
    {
        random.emplace_back(seeds[2 * centre]);
    }
    std::vector<uint32_t> present(areas.size(), 0);
    // All centres at a sample, so that its distributions are in the processor's cache.
    for (std::size_t k = 0; k < day.samples; ++k)
    {
        for (std::size_t centre = 0; centre < areas.size(); ++centre)
        {
            const auto area = static_cast<std::size_t>(areas[centre]);
            const auto [mean, law] = m_laws->means[k][area];
            auto& of = random[centre];
            uint32_t& n = present[centre];
            n = n < MOST_PRESENT ? m_laws->staying.LookUp(n, DrawUniform(of))
                                 : std::binomial_distribution<uint32_t>(n, m_laws->stay)(of);
            n += mean <= MANY ? m_laws->coming.LookUp(law, DrawUniform(of))
                              : std::poisson_distribution<uint32_t>(mean)(of);
            day.milli[centre * day.samples + k] = cus * static_cast<int32_t>(n);
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

} // namespace ns3::odcn
