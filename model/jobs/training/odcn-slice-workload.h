// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SLICE_WORKLOAD_H
#define ODCN_SLICE_WORKLOAD_H

#include "odcn-slice-queue.h"

#include "ns3/random-variable-stream.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * Read jobs in the form of RFold's traces: a line a job with its number, arrival in seconds,
 * topology (T3D_NT, or T3D_T for a twisted torus, which is placed as the other), sides in chips,
 * number of chips, and duration in seconds. Text after # is ignored.
 *
 * @ingroup odcn
 * @param path file name
 * @return the jobs
 * @throws OdcnError with file and line
 */
std::vector<SliceJob> ReadSliceJobs(const std::string& path);

/**
 * Jobs for a pod, drawn from distributions in files.
 *
 * - Intervals: lines with seconds between arrivals and their share; rounded to whole seconds.
 * - Shapes: lines with a number, topology, sides, number of chips, duration, and their share, where
 *   a duration of 0 means that it is drawn; or the word mixed, for the jobs of RFold's paper, as
 *   its program draws them. Their number of chips is even, up to the pod's, and follows a truncated
 *   exponential distribution, 4 of its scales long. Up to 256 chips 80 % of jobs are rows and 20 %
 *   sheets, up to 1,024 chips 80 % sheets and 20 % boxes, beyond 20 % and 80 %, as far as there are
 *   such. All shapes of even sides that fit into the cubes are alike probable.
 * - Durations: lines with seconds, all alike probable; longer ones than Longest are cut to it.
 *
 * Shares are in per cent; they are scaled if their sum is another one.
 *
 * @ingroup odcn
 */
class SliceWorkload : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    SliceWorkload();

    /**
     * @param jobs their number
     * @param ledger of the pod, for the word mixed
     * @return jobs that arrive from time 0 on
     * @throws OdcnError when a file is wrong, with file and line
     */
    std::vector<SliceJob> Generate(uint32_t jobs, const SliceLedger& ledger);

    /// @param stream first stream number to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /// Shapes of jobs as in RFold's paper, by number of chips and by number of sides above 1.
    using Mixed = std::map<uint32_t, std::array<std::vector<SliceShape>, 3>>;

    /// A kind of jobs.
    struct Kind
    {
        SliceShape shape; //!< of their slices
        double duration;  //!< seconds; 0 if drawn
    };

    /// Read the files.
    void Read();
    /// @param ledger of the pod
    /// @return all shapes
    static Mixed MakeMixed(const SliceLedger& ledger);
    /// @param mixed all shapes
    /// @param sizes all numbers of chips
    /// @return one of them
    SliceShape DrawMixed(const Mixed& mixed, const std::vector<uint32_t>& sizes);

    std::string m_intervalFile;              //!< Intervals
    std::string m_shapeFile;                 //!< Shapes
    std::string m_durationFile;              //!< Durations
    double m_stretch;                        //!< Stretch
    Time m_longest;                          //!< Longest
    std::vector<Kind> m_kinds;               //!< of the file of shapes
    std::vector<double> m_durations;         //!< seconds
    Ptr<EmpiricalRandomVariable> m_interval; //!< seconds
    Ptr<EmpiricalRandomVariable> m_kind;     //!< index of m_kinds
    Ptr<UniformRandomVariable> m_shape;      //!< numbers for shapes that are mixed
    Ptr<UniformRandomVariable> m_duration;   //!< index of m_durations
    int64_t m_stream{-1};                    //!< first of AssignStreams()
};

} // namespace ns3::odcn

#endif /* ODCN_SLICE_WORKLOAD_H */
