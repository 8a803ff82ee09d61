// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_GTEST_KIT_H
#define ODCN_GTEST_KIT_H

/**
 * @file
 * What many tests with GoogleTest need.
 */

#include "odcn-test-kit.h"

#include <gtest/gtest.h>

namespace ns3::odcn
{

/// @param text any  @param part of it  @return whether the text contains it
inline testing::AssertionResult
Has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos
               ? testing::AssertionSuccess()
               : testing::AssertionFailure() << "no '" << part << "' in: " << text;
}

} // namespace ns3::odcn

/// A statement must throw an OdcnError of one line.
/// @param statement to execute  @param part of the message
#define EXPECT_REFUSAL(statement, part)                                                            \
    EXPECT_TRUE(ns3::odcn::Has(ns3::odcn::GetRefusal([&] { statement; }), part))

#endif /* ODCN_GTEST_KIT_H */
