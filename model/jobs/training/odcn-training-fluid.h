// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_FLUID_H
#define ODCN_TRAINING_FLUID_H

#include "odcn-training-bytes.h"
#include "odcn-training-links.h"

#include "ns3/odcn-collective.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// What an estimate of a job's time needs to know of it.
///
/// @ingroup odcn
struct TrainingSketch
{
    /**
     * @param job all of whose ranks have a program
     * @param link of each rank to a network without contention
     * @param algorithms of its collectives
     */
    TrainingSketch(const TrainingJob& job,
                   const Collective::Link& link,
                   const TrainingRun::Algorithms& algorithms);

    std::string name;     //!< of the job
    uint32_t ranks;       //!< their number
    double computation;   //!< of an iteration, s
    double communication; //!< what an iteration takes beside that in an idle network, s
    TrainingBytes bytes;  //!< of an iteration

    /// @return time of an iteration alone in an idle network, s
    double GetAlone() const
    {
        return computation + communication;
    }
};

/**
 * Training jobs that share links, as a fluid: each computes and communicates in turn, iteration
 * after iteration.
 *
 * A job that communicates has a rate, the share of the speed that it would have without the others:
 * at 1, it takes the time in an idle network, or that of its busiest link if this is longer.
 * Its rate times its bytes of an iteration flow over each link. Rates are max-min fair: all grow
 * alike until a link is full, then those of its jobs are set (dominant resource fairness; Ghodsi et
 * al., NSDI 2011). They change when a job begins or ends to communicate.
 *
 * So all of a job's messages begin and end together, whatever waits for what, and none of its
 * communication is hidden behind computations but that which is hidden in an idle network.
 *
 * @ingroup odcn
 */
class TrainingFluid
{
  public:
    /// No job.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// A job that runs.
    struct Job
    {
        uint32_t id{NONE};                              //!< given to Start()
        std::shared_ptr<const TrainingSketch> sketch{}; //!< what it does
        TrainingLinks::Loads loads{};                   //!< of an iteration
        double communication{0};                        //!< of an iteration without others, s
        uint32_t iterations{0};                         //!< left, with the present one
        bool isCommunicating{false};                    //!< whether it does, or else computes
        double left{0};                                 //!< of this, at rate 1, s
        double rate{1};                                 //!< 1 while it computes
    };

    /// @param links that jobs share
    void SetLinks(std::shared_ptr<const TrainingLinks> links);

    /// Remove all jobs, and return to time 0.
    void Clear();

    /**
     * Start a job now.
     * @param id its number
     * @param sketch what it does
     * @param loads of an iteration by link; empty if nothing limits it
     * @param iterations their number
     */
    void Start(uint32_t id,
               std::shared_ptr<const TrainingSketch> sketch,
               TrainingLinks::Loads loads,
               uint32_t iterations);

    /**
     * Go on until a job ends, or to a time.
     * @param until the time, s; infinite if there is none
     * @return number of the job that has ended and was removed; NONE if the time has come
     */
    uint32_t Advance(double until);

    /// @return the time, s
    double GetNow() const
    {
        return m_now;
    }

    /// @return jobs that run
    const std::vector<Job>& GetJobs() const
    {
        return m_jobs;
    }

    /**
     * Estimate the times of iterations of jobs that run together, on average: while a job
     * communicates, a link carries what the others send on average, at most their fair shares.
     * @param links that they share
     * @param jobs the jobs; of each, sketch, loads and communication are used
     * @return by job, s
     */
    static std::vector<double> Estimate(const TrainingLinks& links,
                                        const std::vector<const Job*>& jobs);

  private:
    /// Find all rates.
    void SetRates();
    /// A job has ended what it was doing. @param job the job
    /// @return whether it has ended
    bool EndPart(Job& job);

    std::shared_ptr<const TrainingLinks> m_links; //!< that jobs share
    std::vector<Job> m_jobs;                      //!< that run, in the order of their start
    double m_now{0};                              //!< the time, s
    bool m_isChanged{false};                      //!< whether rates are to be found
    std::vector<double> m_used;                   //!< by link: share of it that is taken
    std::vector<double> m_growth;                 //!< by link: what the rates that grow add to it
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_FLUID_H */
