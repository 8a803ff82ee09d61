// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_NODE_H
#define OTN_NODE_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ocs-net-device.h"
#include "ns3/ptr.h"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3::odcn
{

/// An input or output of an OtnNode: a wavelength of a fibre, or a transponder.
struct OtnPort
{
    /// Value of `fiber` for a transponder of the node.
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
 * The signal of an incoming wavelength of a fibre passes through to a wavelength of another fibre,
 * optically and without delay, or is dropped to a transponder. O-E-O conversion, which takes the
 * OeoTime, occurs only at both ends of a lightpath and where the cross-connect converts the
 * wavelength. A transponder may add and drop any number of wavelengths. It is an OcsNetDevice, so
 * its packets are visible to sockets, pcap and FlowMonitor.
 */
class OtnNode : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OtnNode();
    ~OtnNode() override;

    /// @throws OdcnError when there is no room for one more transponder
    void CheckRoom() const;

    /**
     * Add a transponder.
     * @param device its line side
     * @return its number
     * @throws OdcnError when the node has no room for it
     */
    uint32_t AddTransponder(Ptr<OcsNetDevice> device);

    /// @return number of transponders
    uint32_t GetNTransponders() const
    {
        return static_cast<uint32_t>(m_transponders.size());
    }

    /// @param transponder its number  @return its line side
    Ptr<OcsNetDevice> GetTransponder(uint32_t transponder) const
    {
        return m_transponders.at(transponder);
    }

    /**
     * Connect one port to another.
     * @param in wavelength of a fibre that ends here, or a transponder
     * @param out wavelength of a fibre that begins here, or a transponder
     * @throws OdcnError when a wavelength is already connected here
     */
    void Connect(const OtnPort& in, const OtnPort& out);

    /// Undo Connect(). @param in as in Connect()  @param out as in Connect()
    void Disconnect(const OtnPort& in, const OtnPort& out);

    /**
     * @param in wavelength of a fibre that ends here
     * @return the port to which it is connected
     * @throws OdcnError when it is not connected
     */
    OtnPort GetOutput(const OtnPort& in) const;

    /// @return number of incoming wavelengths that are connected
    std::size_t GetNConnections() const
    {
        return m_inputs.size();
    }

    /// @return duration of an O-E-O conversion
    Time GetOeoTime() const
    {
        return m_oeoTime;
    }

  protected:
    void DoDispose() override;

  private:
    Time m_oeoTime;                                //!< t_OEO
    uint32_t m_places;                             //!< largest number of transponders
    std::vector<Ptr<OcsNetDevice>> m_transponders; //!< transponders by number
    std::map<OtnPort, OtnPort> m_inputs;           //!< outputs of connected incoming wavelengths
    std::map<OtnPort, OtnPort> m_outputs;          //!< inputs of connected outgoing wavelengths
};

} // namespace ns3::odcn

#endif /* OTN_NODE_H */
