// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RACK_VIEWS_H
#define ODCN_RACK_VIEWS_H

#include "odcn-cs-mgr.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The computing and bandwidth states of the racks if a VM were placed there. They are cached: a
 * placement changes few of them. A rack stands for any action of OdcnScheduling: with
 * Placement=Policy the number of a rack plus a multiple of the number of racks.
 */
class OdcnRackViews
{
  public:
    /// What the minimum of the computing state is taken over.
    enum ComputeState
    {
        RACK,   //!< kinds of resource, each summed over the rack
        SERVER, //!< kinds of resource and servers of the rack (the literal form)
    };

    /// The demands between the VM to be placed and the job's VMs in one rack.
    struct Neighbour
    {
        RackId rack{0}; //!< rack of these VMs
        BitRate out{0}; //!< from the VM to them, bit/s
        BitRate in{0};  //!< from them to the VM, bit/s
    };

    /// State of a rack if the VM were placed there.
    struct View
    {
        float compute{-1};   //!< least residual fraction of its resources; -1 when no server fits
        float bandwidth{-1}; //!< least residual fraction of its circuits; -1 when a demand is unmet

        /// @return whether a server and direct bandwidth are available
        bool Feasible() const
        {
            return compute >= 0 && bandwidth >= 0;
        }
    };

    /// Forget what is cached.
    void Clear()
    {
        m_kinds.clear();
    }

    /// Prepare the states for the next VM.
    /// @param manager that places it
    /// @param vm the VM
    /// @param form of the computing state
    void Begin(const CsMgr& manager, const OdcnResources& vm, ComputeState form);

    /// @param manager a copy of that of Begin(), in the same state
    void Follow(const CsMgr& manager)
    {
        m_manager = &manager;
    }

    /// @param form of the computing state from now on
    void SetForm(ComputeState form)
    {
        m_form = form;
    }

    /// @return the demands between the VM and those of its job placed before
    const std::vector<Neighbour>& GetNeighbours() const
    {
        return m_neighbours;
    }

    /// @param rack a rack
    /// @return both of its states
    View Get(RackId rack) const
    {
        return {GetCompute(rack), GetBandwidth(rack)};
    }

    /// @param rack a rack
    /// @return its computing state
    float GetCompute(RackId rack) const;

    /// @param rack a rack
    /// @return its bandwidth state
    float GetBandwidth(RackId rack) const;

    /**
     * Aggregate form of the bandwidth state: all circuits of a rack taken together.
     * @param rack a rack
     * @return residual fraction of its circuits with the VM placed there, the lesser of the two
     * directions; -1 if the VM's demands exceed the residual
     */
    float GetAggregateBandwidth(RackId rack) const;

  private:
    /// A cached value of one rack.
    struct Seen
    {
        uint64_t version{0}; //!< of the servers or the network at that time; 0 for none
        float value{0};      //!< the value
    };

    /// Cached compute parts of the views for one kind of VM.
    struct ComputeSeen
    {
        OdcnResources vm;        //!< the kind
        ComputeState form;       //!< form of the views
        std::vector<Seen> racks; //!< [rack], for each fit
    };

    /// @param rack a rack
    /// @return compute part of its view, from the ledger
    float FindCompute(RackId rack) const;

    /// @param rack a rack
    /// @return bandwidth part of its view, from the ledger
    float FindBandwidth(RackId rack) const;

    const CsMgr* m_manager{nullptr};           //!< has the servers and the network
    ComputeState m_form{RACK};                 //!< form of the computing state
    std::vector<Neighbour> m_neighbours;       //!< of the next VM
    mutable std::vector<ComputeSeen> m_kinds;  //!< states for the latest kinds of VM
    std::size_t m_kind{0};                     //!< index in m_kinds of the next VM's kind
    std::size_t m_oldestKind{0};               //!< number of kinds replaced so far
    mutable std::vector<Seen> m_bandwidthSeen; //!< [rack]: cached, for the next VM
};

} // namespace ns3::odcn

#endif /* ODCN_RACK_VIEWS_H */
