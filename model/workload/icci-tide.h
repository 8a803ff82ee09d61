// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_TIDE_H
#define ICCI_TIDE_H

#include "ns3/icci-area.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// Background load of every centre, sampled.
struct IcciBackground
{
    double step{0};             //!< s between samples
    std::size_t samples{0};     //!< of a centre
    std::vector<int32_t> milli; //!< [centre][sample]: CUs asked for, in thousandths

    /// @param centre a centre  @return its samples
    const int32_t* Of(uint32_t centre) const
    {
        return milli.data() + centre * samples;
    }
};

/**
 * @ingroup odcn
 *
 * The tidal background load (section V.A of the DeepHM paper): user requests in every centre, with
 * a peak by day in business areas and in the evening in residential areas. Requests arrive as a
 * Poisson process and hold for exponential times, so that their number is the state of an M/M/inf
 * queue with a time-dependent rate. It is sampled with its exact distribution.
 *
 * The profiles are weekday means per hour as measured by Xu et al. (IEEE/ACM Trans. Networking
 * 25(2), 2017) over base stations of a city: business is "office", residential is "residential" to
 * the power of Sharpness, other half their sum scaled to OtherScale; none below Floor. A file of
 * Profiles takes their place. Between the middles of hours they are interpolated.
 */
class IcciTide : public Object
{
  public:
    /// A day, s.
    static constexpr double DAY = 86400;
    /// Hours of a day.
    static constexpr std::size_t HOURS = 24;

    /// @return the TypeId
    static TypeId GetTypeId();
    IcciTide();

    /**
     * @param area kind of area
     * @param time s since midnight of any day
     * @return arrival rate as a share of the peak, 0 to 1
     */
    double GetProfile(IcciArea area, double time) const;

    /**
     * @param area kind of area
     * @param time s since midnight of any day
     * @return requests present in the mean
     */
    double GetMeanRequests(IcciArea area, double time) const;

    /**
     * Set the profiles of all areas.
     * @param name CSV file with the columns hour (0 to 23, each once), business, residential and
     * other, shares of the peak from 0 to 1; empty for those of the class comment
     * @throws OdcnError when the file cannot be read or is not of that form
     */
    void SetProfiles(const std::string& name);

    /// @return name of the file, empty for those of the class comment
    std::string GetProfiles() const;

    /// @return CUs that a request takes
    double GetCusPerRequest() const
    {
        return m_cusPerRequest;
    }

    /**
     * The next day.
     * @param areas of the centres
     * @return their load from midnight to midnight
     */
    std::shared_ptr<const IcciBackground> Draw(const std::vector<IcciArea>& areas);

    /**
     * @param stream first stream number to use
     * @return how many streams were used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    /// Share of the peak in the middle of each hour, by area.
    using Hours = std::array<std::array<double, HOURS>, ICCI_AREAS>;

    /// @return the profiles, without floor
    Hours GetHours() const;

    /// @param hours GetHours()  @param area kind of area  @param time s  @return GetProfile()
    double Interpolate(const Hours& hours, IcciArea area, double time) const;

    /// Everything a day depends on: seeds and areas of the centres, profiles, and other Attributes.
    using Key = std::tuple<std::vector<uint64_t>, Hours, std::array<double, 5>>;

    /// @param areas of the centres  @param seeds of the centres  @return their load
    IcciBackground Make(const std::vector<IcciArea>& areas,
                        const std::vector<uint64_t>& seeds) const;

    double m_peakRate;                  //!< arrivals a minute
    double m_departureRate;             //!< of a request, a minute
    double m_cusPerRequest;             //!< CUs
    double m_sharpness;                 //!< exponent of residential
    double m_otherScale;                //!< peak of other
    double m_floor;                     //!< least share
    double m_step;                      //!< s between samples
    uint32_t m_remember;                //!< days that are kept
    std::string m_name;                 //!< file of profiles
    std::optional<Hours> m_read;        //!< profiles of that file
    Ptr<UniformRandomVariable> m_seeds; //!< of the generators of the centres
    /// The last days, latest first.
    std::list<std::pair<Key, std::shared_ptr<const IcciBackground>>> m_days;
};

} // namespace ns3::odcn

#endif /* ICCI_TIDE_H */
