// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NUMBERS_H
#define ODCN_NUMBERS_H

/**
 * @file
 * Rows of the table of doc/validation/numbers.md.
 */

#include "odcn-test-kit.h"

#include <cstdlib>
#include <iomanip>
#include <iostream>

namespace ns3::odcn
{

/**
 * Print a row if the environment variable ODCN_NUMBERS is set.
 * @param what quantity and system  @param measured by odcn  @param expected from elsewhere
 * @param tolerance of the test beside which this is called: largest difference
 */
inline void
PrintNumber(const std::string& what, double measured, double expected, double tolerance)
{
    if (std::getenv("ODCN_NUMBERS"))
    {
        std::ostringstream row;
        row << std::setprecision(6) << "| " << what << " | " << measured << " | " << expected
            << " | " << std::setprecision(2) << tolerance << " |\n";
        std::cout << row.str() << std::flush;
    }
}

} // namespace ns3::odcn

#endif /* ODCN_NUMBERS_H */
