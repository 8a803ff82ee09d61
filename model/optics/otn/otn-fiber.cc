// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "otn-fiber.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OtnFiber);

TypeId
OtnFiber::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OtnFiber")
            .SetParent<Object>()
            .SetGroupName("Odcn")
            .AddConstructor<OtnFiber>()
            .AddAttribute("Length",
                          "Length in km",
                          DoubleValue(10),
                          MakeDoubleAccessor(&OtnFiber::m_km),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Speed",
                          "Speed of light in the fibre (v_fiber of the DeepHM paper), m/s",
                          DoubleValue(2e8),
                          MakeDoubleAccessor(&OtnFiber::m_speed),
                          MakeDoubleChecker<double>(1, 299792458))
            .AddAttribute(
                "Wavelengths",
                "Number of wavelengths",
                UintegerValue(40),
                MakeUintegerAccessor(&OtnFiber::SetNWavelengths, &OtnFiber::GetNWavelengths),
                MakeUintegerChecker<uint32_t>(1));
    return tid;
}

OtnFiber::OtnFiber() = default;

OtnFiber::~OtnFiber() = default;

Time
OtnFiber::GetDelay() const
{
    return PicoSeconds(std::llround(m_km * 1e15 / m_speed));
}

void
OtnFiber::SetNWavelengths(uint32_t n)
{
    m_users.resize(n);
}

uint32_t
OtnFiber::GetNWavelengths() const
{
    return static_cast<uint32_t>(m_users.size());
}

void
OtnFiber::Light(uint32_t wavelength, const OtnLightpath* lightpath)
{
    if (wavelength >= m_users.size() || m_users[wavelength])
    {
        throw OdcnError::InOption("wavelength",
                                  std::to_string(wavelength),
                                  "one of " + std::to_string(m_users.size()) + " that is free");
    }
    m_users[wavelength] = lightpath;
}

void
OtnFiber::Darken(uint32_t wavelength)
{
    m_users.at(wavelength) = nullptr;
}

const OtnLightpath*
OtnFiber::GetLightpath(uint32_t wavelength) const
{
    return m_users.at(wavelength);
}

} // namespace ns3::odcn
