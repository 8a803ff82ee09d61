// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_TASK_H
#define ICCI_TASK_H

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A distributed training task M_i(D, P, theta, T, S, It) of the DeepHM paper (section III.A): its
 * workers, each in a centre of its own, are joined in a ring and exchange gradients after each
 * iteration.
 */
struct IcciTask
{
    uint64_t id{0};       //!< number in its day, counted from 0
    double arrival{0};    //!< s since midnight
    double dataGb{0};     //!< D, training data in GB
    double parameters{0}; //!< P in 10^9 parameters; Gbit in Eq. 3
    double accuracy{0};   //!< theta, between 0 and 1
    double deadline{0};   //!< T less the time of arrival, s
    uint32_t source{0};   //!< S, the centre where it originates; one worker stays there
    uint32_t workers{0};  //!< N^worker, 3 or more
    double iterations{0}; //!< It

    /// @param o other  @return whether all members are equal
    bool operator==(const IcciTask& o) const = default;
};

/// Parameters of Eqs. 1 to 3.
struct IcciRates
{
    double flopPerGb{1e12};         //!< lambda
    double flopsPerCu{20e12};       //!< rho
    double bitsPerWavelength{1e11}; //!< chi, bit/s
    double computeShare{0.7};       //!< T_com / (T_com + T_trans), between 0 and 1
};

/// What a task needs to end at its deadline (Eqs. 1 to 3).
struct IcciDemand
{
    double compute{0};  //!< T_com, s of an iteration
    double transfer{0}; //!< T_trans, s of an iteration
    uint32_t cus{0};    //!< N^cu of each worker, rounded up
    uint32_t bus{0};    //!< N^bu, wavelengths on each hop of the ring, rounded up
};

/**
 * @param task deployed when it arrives
 * @param rates parameters of the equations
 * @return T_com and T_trans by Eq. 1, the share of each as given; N^cu by Eq. 2, N^bu by Eq. 3
 */
IcciDemand IcciGetDemand(const IcciTask& task, const IcciRates& rates);

} // namespace ns3::odcn

#endif /* ICCI_TASK_H */
