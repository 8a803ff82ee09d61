// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_TIDE_H
#define ICCI_TIDE_H

#include "ns3/object.h"
#include "ns3/otn-mesh.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// Sampled background load of every data centre.
struct IcciBackground
{
    double step{0};             //!< s between samples
    std::size_t samples{0};     //!< number of samples per centre
    std::vector<int32_t> milli; //!< [centre][sample]: requested CUs, in thousandths

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
 * a daytime peak in business areas and an evening peak in residential areas. Requests arrive as a
 * Poisson process with exponential holding times, so that their number is the state of an M/M/inf
 * queue with a time-dependent rate. It is sampled from its exact distribution.
 *
 * The profiles are weekday means per hour as measured by Xu et al. (IEEE/ACM Trans. Networking
 * 25(2), 2017) over base stations of a city: business is "office", residential is "residential" to
 * the power of Sharpness, other is half their sum scaled to OtherScale; no value is below Floor. A
 * Profiles file replaces them. Values are interpolated between the midpoints of the hours.
 */
class IcciTide : public Object
{
  public:
    /// Length of a day, s.
    static constexpr double DAY = 86400;
    /// Hours per day.
    static constexpr std::size_t HOURS = 24;

    /// @return the TypeId
    static TypeId GetTypeId();
    IcciTide();

    /**
     * @param area kind of area
     * @param time s since midnight of any day
     * @return arrival rate as a share of the peak, 0 to 1
     */
    double GetProfile(OtnArea area, double time) const;

    /**
     * @param area kind of area
     * @param time s since midnight of any day
     * @return mean number of requests present
     */
    double GetMeanRequests(OtnArea area, double time) const;

    /**
     * Set the profiles of all areas.
     * @param name CSV file with the columns hour (0 to 23, each once), business, residential and
     * other, shares of the peak from 0 to 1; empty for the profiles of the class comment
     * @throws OdcnError when the file cannot be read or is not of that form
     */
    void SetProfiles(const std::string& name);

    /// @return name of the file, empty for the profiles of the class comment
    std::string GetProfiles() const;

    /// @return CUs per request
    double GetCusPerRequest() const
    {
        return m_cusPerRequest;
    }

    /// Share of the peak in the middle of each hour, by area.
    using Hours = std::array<std::array<double, HOURS>, OTN_AREAS>;

    /// What the laws of a day depend on: profiles, peak and departure rate, floor, step.
    using Rates = std::pair<Hours, std::array<double, 4>>;

    /// @return what GetMeanRequests() depends on, and the step
    Rates GetRates() const;

    /**
     * Draw the load of the next day.
     * @param areas areas of the centres
     * @return their load from midnight to midnight
     */
    std::shared_ptr<const IcciBackground> Draw(const std::vector<OtnArea>& areas);

    /**
     * @param stream first stream number to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    /// @return the profiles, without floor
    Hours GetHours() const;

    /// @param hours GetHours()  @param area kind of area  @param time s  @return GetProfile()
    double Interpolate(const Hours& hours, OtnArea area, double time) const;

    /// What else a day depends on: seeds and areas of the centres, CUs per request.
    using Key = std::pair<std::vector<uint64_t>, double>;

    struct Laws;

    /// @param rates of this object
    /// @return the laws of all tides with these
    std::shared_ptr<const Laws> FindLaws(const Rates& rates);

    /// @param rates of this object
    /// @return the laws of its days
    std::shared_ptr<const Laws> MakeLaws(const Rates& rates) const;

    /// @param areas areas of the centres  @param seeds seeds of the centres  @return their load
    IcciBackground Make(const std::vector<OtnArea>& areas,
                        const std::vector<uint64_t>& seeds) const;

    double m_peakRate;                  //!< peak arrival rate, per minute
    double m_departureRate;             //!< departure rate of a request, per minute
    double m_cusPerRequest;             //!< CUs per request
    double m_sharpness;                 //!< exponent of the residential profile
    double m_otherScale;                //!< peak of the other profile
    double m_floor;                     //!< smallest share of the peak
    double m_step;                      //!< s between samples
    uint32_t m_remember;                //!< number of days kept in memory
    std::string m_name;                 //!< file of profiles; empty for the built-in ones
    std::optional<Hours> m_read;        //!< profiles of the file
    Ptr<UniformRandomVariable> m_seeds; //!< draws the seeds of the centres' generators
    std::shared_ptr<const Laws> m_laws; //!< laws of m_days and of the last day drawn
    /// Cache of the last days, latest first.
    std::list<std::pair<Key, std::shared_ptr<const IcciBackground>>> m_days;
};

} // namespace ns3::odcn

#endif /* ICCI_TIDE_H */
