// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SLICE_POLICY_H
#define ODCN_SLICE_POLICY_H

#include "odcn-slice-ledger.h"

#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * A rule that decides which chips of a pod a job gets.
 *
 * One of your own is registered by ODCN_REGISTER_SLICE_POLICY behind NS_OBJECT_ENSURE_REGISTERED,
 * and is then known to SliceQueue and to programs by its name. These are there:
 * - firstfit: the first free box of the asked shape in a static torus, x slowest, z fastest; a box
 *   may cross the ends of the pod. All rotations are tried, one after the other.
 * - folding: as firstfit, of a shape into which the asked one can be folded. A row of chips becomes
 *   any box of as many; a sheet is folded once.
 * - slurm_hilbert: the free chips that lie closest on a Hilbert curve, as Slurm's plug-in for a
 *   three-dimensional torus; the shape is not kept.
 * - random: any free chips; the shape is not kept.
 * - reconfig: cubes anywhere, which optical switches join, and parts of cubes.
 * - rfold: RFold, which folds and reconfigures (Chen et al., arXiv:2510.03891).
 *
 * @ingroup odcn
 */
class SlicePolicy : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param text name of a policy, or its type, with Attributes: "reconfig[Aligned=false]"
     * @return the policy
     * @throws OdcnError when there is none, or an Attribute is wrong
     */
    static Ptr<SlicePolicy> Create(const std::string& text);

    /// @return names for Create(), in order
    static std::vector<std::string> GetNames();

    /// For ODCN_REGISTER_SLICE_POLICY.
    /// @param name of the policy
    /// @param type its TypeId name
    /// @return true
    /// @throws OdcnError when there is one of the same name
    static bool Register(const std::string& name, const std::string& type);

    /**
     * Choose chips for a job.
     * @param ledger of the pod, with as many free chips or more
     * @param asked the shape that the job asks for
     * @return the slice, of free chips; none if there is none now
     */
    virtual std::optional<Slice> Place(const SliceLedger& ledger, const SliceShape& asked) = 0;

    /**
     * @param ledger of the pod
     * @param asked the shape of a job for which there was no slice
     * @return whether it makes sense to wait for one; if not, the job is given up
     */
    virtual bool MayWait(const SliceLedger& ledger, const SliceShape& asked) const;

    /// @return whether optical switches join cubes, so that one can take the place of another
    virtual bool IsSwitched() const
    {
        return false;
    }

    /// @param stream first stream number to use
    /// @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3::odcn

/**
 * @ingroup odcn
 *
 * Make a SlicePolicy known by a name.
 * @param type its class, in namespace ns3::odcn or derived from one that is registered as such
 * @param name its name
 */
#define ODCN_REGISTER_SLICE_POLICY(type, name)                                                     \
    [[maybe_unused]] static const bool g_registeredSlicePolicy##type =                             \
        ::ns3::odcn::SlicePolicy::Register(name, type::GetTypeId().GetName());

#endif /* ODCN_SLICE_POLICY_H */
