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
#include <locale>
#include <string>

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

/// @param a numbers
/// @param b numbers
/// @param tolerance largest difference
/// @return whether they are as many, and equal
template <typename A, typename B>
testing::AssertionResult
AllNear(const A& a, const B& b, double tolerance)
{
    auto result = a.size() == b.size() ? testing::AssertionSuccess()
                                       : testing::AssertionFailure() << "other sizes";
    for (std::size_t i = 0; i < a.size() && result; ++i)
    {
        if (!(std::abs(a[i] - b[i]) <= tolerance))
        {
            result = testing::AssertionFailure() << a[i] << " and " << b[i] << " at " << i;
        }
    }
    return result;
}

/// A global locale with a decimal comma and points between thousands, as a user's program may have
/// it; for a while.
class OtherLocale
{
  public:
    OtherLocale()
        : m_before(std::locale::global(std::locale(std::locale::classic(), new Commas)))
    {
    }

    ~OtherLocale()
    {
        std::locale::global(m_before);
    }

    OtherLocale(const OtherLocale&) = delete;
    OtherLocale& operator=(const OtherLocale&) = delete;

  private:
    /// As in German.
    struct Commas : std::numpunct<char>
    {
        char do_decimal_point() const override
        {
            return ',';
        }

        char do_thousands_sep() const override
        {
            return '.';
        }

        std::string do_grouping() const override
        {
            return "\3";
        }
    };

    std::locale m_before; //!< the global locale before
};

} // namespace ns3::odcn

/// A statement must throw an OdcnError of one line.
/// @param statement to execute  @param part of the message
#define EXPECT_REFUSAL(statement, part)                                                            \
    EXPECT_TRUE(ns3::odcn::Has(ns3::odcn::GetRefusal([&] { statement; }), part))

#endif /* ODCN_GTEST_KIT_H */
