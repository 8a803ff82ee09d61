// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_GENERATOR_H
#define ODCN_JOB_GENERATOR_H

#include "odcn-job-pattern.h"
#include "odcn-job-source.h"

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
 * Each choice has a random variable of its own, so that the jobs of two settings that differ in
 * one choice agree in all the others: another pattern leaves arrivals, durations and VMs as they
 * were. For each job are drawn, in this order: InterArrival once, Duration once, VmCount once,
 * VmType once for each VM, the order of the pattern (unless it is "sorted"), the coin of random-p
 * once for each ordered VM pair, DemandGbps once for each demand.
 *
 * The VMs of a job are sorted largest first: by cores, then memory, then disk.
 */
class OdcnJobGenerator : public OdcnJobSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    OdcnJobGenerator();

    /**
     * @copydoc OdcnJobSource::Next
     * @throw OdcnError when a variable yields a value that no job can have
     */
    bool Next(OdcnJob& job) override;

    /**
     * Uses seven streams, in the order of the Attributes InterArrival, Duration, VmCount, VmType,
     * DemandGbps, then the order of the pattern, then the coin of random-p. The stream of jobs
     * begins anew: job 0, from time 0.
     * @copydoc OdcnJobSource::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * Set the kinds of VM.
     * @param types cores:memory:disk in cores, GB and GB, separated by commas
     * @throw OdcnError when the text is anything else
     */
    void SetVmTypes(const std::string& types);

    /// @return the kinds of VM in the form that SetVmTypes() reads
    std::string GetVmTypes() const;

    /// @param name name of a pattern  @throw OdcnError when there is none of that name
    void SetPattern(const std::string& name);

    /// @return name of the pattern
    std::string GetPattern() const;

    /// @param name "random" or "sorted"  @throw OdcnError for any other name
    void SetPatternOrder(const std::string& name);

    /// @return "random" or "sorted"
    std::string GetPatternOrder() const;

  private:
    /// Draw the VMs. @param [out] job job whose VMs to fill, largest first
    void DrawVms(OdcnJob& job);

    Ptr<RandomVariableStream> m_interArrival; //!< time from one arrival to the next
    Ptr<RandomVariableStream> m_duration;     //!< holding time
    Ptr<RandomVariableStream> m_vmCount;      //!< VMs of a job
    Ptr<RandomVariableStream> m_vmType;       //!< position in the list of types, on [0, 1)
    Ptr<RandomVariableStream> m_demand;       //!< bandwidth of a VM pair, Gb/s
    Ptr<UniformRandomVariable> m_shuffle;     //!< order of the pattern
    Ptr<UniformRandomVariable> m_coin;        //!< pairs of random-p
    std::vector<OdcnResources> m_types;       //!< kinds of VM, as listed
    std::vector<uint32_t> m_bySize;           //!< their indices, largest first
    OdcnPattern m_pattern{OdcnPattern::RING}; //!< who talks to whom
    bool m_sorted{false};                     //!< the pattern follows the VMs as sorted
    double m_probability{0};                  //!< of random-p
    uint64_t m_maxJobs{0};                    //!< length of the stream, 0 when endless

    JobId m_next{0};                //!< number of the next job
    double m_now{0};                //!< arrival of the last one
    std::vector<uint32_t> m_counts; //!< how many VMs of each type; reused
    std::vector<uint32_t> m_order;  //!< order of the pattern; reused
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_GENERATOR_H */
