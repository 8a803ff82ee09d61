// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_GENERATOR_H
#define ODCN_JOB_GENERATOR_H

#include "odcn-job-pattern.h"
#include "odcn-job.h"

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Random jobs. The defaults are the traffic of section 5 of the ODCN paper at load 66.
 *
 * Each quantity has its own random variable, so that changing one of them leaves the others
 * unchanged: with another pattern, arrivals, durations and VMs stay the same. The draws for each
 * job, in order, are: InterArrival, Duration and VmCount once, VmType for each VM, the order of the
 * pattern (unless it is "sorted"), the pattern if it is mixed, the coin of random-p for each
 * ordered VM pair, and DemandGbps for each demand.
 *
 * The VMs of a job are sorted largest first: by cores, then memory, then disk.
 */
class OdcnJobGenerator : public OdcnPatternSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Draw the next job.
     * @param [out] job the job; unchanged at the end
     * @return false at the end
     * @throw OdcnError when a variable yields an invalid value
     */
    bool Next(OdcnJob& job) override;

    /**
     * Uses seven streams, in the order of the Attributes InterArrival, Duration, VmCount, VmType,
     * DemandGbps, then the order of the pattern, then the coin of random-p, and with the pattern
     * mixed an eighth, which selects patterns. The stream of jobs restarts with job 0 at time 0.
     * @copydoc Source::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * Set the VM types.
     * @param types cores:memory:disk in cores, GB and GB, separated by commas
     * @throw OdcnError when the text is malformed
     */
    void SetVmTypes(const std::string& types);

    /// @return the VM types in the form of SetVmTypes()
    std::string GetVmTypes() const;

    /// @param name "random" or "sorted"  @throw OdcnError for any other name
    void SetPatternOrder(const std::string& name);

    /// @return "random" or "sorted"
    std::string GetPatternOrder() const;

  private:
    /// Draw the VMs of a job, largest first. @param [out] job job whose VMs are set
    void DrawVms(OdcnJob& job);

    Ptr<RandomVariableStream> m_interArrival; //!< inter-arrival time, job time units
    Ptr<RandomVariableStream> m_duration;     //!< holding time, job time units
    Ptr<RandomVariableStream> m_vmCount;      //!< number of VMs of a job
    Ptr<RandomVariableStream> m_vmType;       //!< position in the list of types, in [0, 1)
    std::vector<OdcnResources> m_types;       //!< VM types, as listed
    std::vector<uint32_t> m_bySize;           //!< indices of m_types, largest first
    bool m_sorted{false};                     //!< whether the pattern follows the sorted VMs
    uint64_t m_maxJobs{0};                    //!< length of the stream; 0 for endless

    JobId m_next{0};                //!< number of the next job
    double m_now{0};                //!< arrival of the last job
    std::vector<uint32_t> m_counts; //!< number of VMs of each type; reused
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_GENERATOR_H */
