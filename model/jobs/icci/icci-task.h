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
 * workers, each in a different data centre, form a ring and exchange gradients after each
 * iteration.
 */
struct IcciTask
{
    uint64_t id{0};       //!< task number within its day, from 0
    double arrival{0};    //!< arrival time, s since midnight
    double dataGb{0};     //!< D, training data in GB
    double parameters{0}; //!< P in 10^9 parameters; Gbit in Eq. 3
    double accuracy{0};   //!< theta, between 0 and 1
    double deadline{0};   //!< T, relative to the arrival, s
    uint32_t source{0};   //!< S, the centre of origin; one worker stays there
    uint32_t workers{0};  //!< N^worker, 3 or more
    double iterations{0}; //!< It, number of iterations

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

/// Resources that a task needs to meet its deadline (Eqs. 1 to 3).
struct IcciDemand
{
    double compute{0};  //!< T_com, computing time per iteration, s
    double transfer{0}; //!< T_trans, transmission time per iteration, s
    uint32_t cus{0};    //!< N^cu, CUs of each worker, rounded up
    uint32_t bus{0};    //!< N^bu, wavelengths on each hop of the ring, rounded up
};

/**
 * @param task a task, deployed on its arrival
 * @param rates parameters of the equations
 * @return T_com and T_trans by Eq. 1, split by computeShare; N^cu by Eq. 2; N^bu by Eq. 3
 */
IcciDemand IcciGetDemand(const IcciTask& task, const IcciRates& rates);

} // namespace ns3::odcn

#endif /* ICCI_TASK_H */
