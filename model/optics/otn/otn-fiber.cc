// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "otn-fiber.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <cmath>
#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OtnFiber);

TypeId
OtnFiber::GetTypeId()
{
    using T = OtnFiber;
    static TypeId tid =
        TypeIdOf<OtnFiber, Object>("ns3::odcn::OtnFiber")
            .Add(Attribute("Length", &T::m_km, 10, 0), "Length in km")
            .Add(Attribute("Speed", &T::m_speed, 2e8, 1, 299792458),
                 "Speed of light in the fibre (v_fiber of the DeepHM paper), m/s")
            .Add(Attribute("Wavelengths", &T::SetNWavelengths, &T::GetNWavelengths, 40, 1),
                 "Number of wavelengths");
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
