// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_NODE_H
#define OTN_NODE_H

#include "ocs-net-device.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::odcn
{

/// Where light enters or leaves an OtnNode: a wavelength of a fibre, or a transponder.
struct OtnPort
{
    /// In place of a fibre: a transponder of the node.
    static constexpr uint32_t TRANSPONDER = UINT32_MAX;

    uint32_t fiber{TRANSPONDER}; //!< number of the fibre in its mesh, or TRANSPONDER
    uint32_t index{0};           //!< wavelength of the fibre, or number of the transponder

    /// @param o other  @return order by fibre, then index
    auto operator<=>(const OtnPort& o) const = default;
};

/**
 * @ingroup odcn
 *
 * The optical node of a site: a cross-connect of wavelengths, and transponders that add and drop.
 *
 * Light that enters on a wavelength of a fibre passes through to a wavelength of another, as it is
 * and without delay, or is dropped to a transponder. Only there it becomes electric: that takes the
 * OeoTime, at either end of a lightpath; where the cross-connect changes the wavelength, too. A
 * transponder may add and drop any number of wavelengths. It is an OcsNetDevice, so sockets, pcap
 * and FlowMonitor see what it carries.
 */
class OtnNode : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OtnNode();
    ~OtnNode() override;

    /**
     * Put in one more transponder.
     * @param device its line side
     * @return its number
     * @throws OdcnError when all places are taken
     */
    uint32_t AddTransponder(Ptr<OcsNetDevice> device);

    /// @return number of transponders
    uint32_t GetNTransponders() const;

    /// @param transponder its number  @return its line side
    Ptr<OcsNetDevice> GetTransponder(uint32_t transponder) const;

    /**
     * Let light pass from one port to another.
     * @param in wavelength of a fibre that ends here, or a transponder
     * @param out wavelength of a fibre that begins here, or a transponder
     * @throws OdcnError when a wavelength is in use here already
     */
    void Connect(const OtnPort& in, const OtnPort& out);

    /// @param in as in Connect()  @param out as in Connect(); the light no longer passes
    void Disconnect(const OtnPort& in, const OtnPort& out);

    /**
     * @param in wavelength of a fibre that ends here
     * @return where its light goes
     * @throws OdcnError when it goes nowhere
     */
    OtnPort GetOutput(const OtnPort& in) const;

    /// @return number of wavelengths that enter here and go somewhere
    std::size_t GetNConnections() const;

    /// @return how long conversion between optic and electric takes
    Time GetOeoTime() const;

  protected:
    void DoDispose() override;

  private:
    Time m_oeoTime;                                //!< t_OEO
    uint32_t m_places;                             //!< most transponders
    std::vector<Ptr<OcsNetDevice>> m_transponders; //!< by number
    std::map<OtnPort, OtnPort> m_inputs;           //!< where wavelengths that enter go
    std::map<OtnPort, OtnPort> m_outputs;          //!< whence wavelengths that leave come
};

} // namespace ns3::odcn

#endif /* OTN_NODE_H */
