// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TEST_CASE_H
#define ODCN_TEST_CASE_H

/**
 * @file
 * Cases of ns-3's test runner, each written as a function. They belong to the suite that follows
 * them in their file.
 */

#include "odcn-test-kit.h"
#include "odcn-test-resolution.h"

#include "ns3/odcn-ns3-compat.h"
#include "ns3/test.h"

namespace ns3::odcn
{

/// @return cases that wait for their suite
inline std::vector<TestCase*>&
GetWaitingCases()
{
    static std::vector<TestCase*> cases;
    return cases;
}

/// A unit-test suite of all cases of a file.
class CaseSuite : public TestSuite
{
  public:
    /// Adds a case.
    using Add = std::function<void(TestCase*)>;

    /**
     * @param name of the suite
     * @param addMore adds cases with arguments, which follow the others
     */
    explicit CaseSuite(
        const std::string& name,
        const std::function<void(const Add&)>& addMore = [](const Add&) {})
        : TestSuite(name, COMPAT_UNIT)
    {
        const Add add = [this](TestCase* one) { AddTestCase(one, COMPAT_QUICK); };
        for (TestCase* one : std::exchange(GetWaitingCases(), {}))
        {
            add(one);
        }
        addMore(add);
    }
};

/// A suite that counts time in picoseconds.
class PicosecondSuite : public CaseSuite
{
  public:
    using CaseSuite::CaseSuite;

  private:
    void DoSetup() override
    {
        UsePicoseconds();
    }
};

/// Base of cases with a parameter.
template <typename T>
struct ParameterCase : TestCase
{
    /// Type of the parameter.
    using Parameter = T;

    /// @param title of the case
    /// @param value of the parameter
    ParameterCase(const std::string& title, T value)
        : TestCase(title),
          parameter(std::move(value))
    {
    }

    const T parameter; //!< of the case
};

/// @param values of the parameter
/// @return that a case waits for each of them
template <typename T>
bool
AddCases(const std::vector<typename T::Parameter>& values)
{
    for (const auto& value : values)
    {
        GetWaitingCases().push_back(new T(value));
    }
    return true;
}

/// For cases about bad input.
struct RefusalFixture : TestCase
{
    using TestCase::TestCase;

    /// @param part of the message  @param call that must be refused
    void ExpectRefusal(const std::string& part, const std::function<void()>& call)
    {
        const std::string text = GetRefusal(call);
        NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, part << " in: " << text);
    }
};

} // namespace ns3::odcn

/**
 * Define a case with a fixture; the function's body follows.
 * @param Fixture a TestCase that inherits its constructor, with what the case uses
 * @param Name of the class
 * @param title of the case
 */
#define ODCN_TEST_CASE_F(Fixture, Name, title)                                                     \
    class Name : public Fixture                                                                    \
    {                                                                                              \
      public:                                                                                      \
        Name()                                                                                     \
            : Fixture(title)                                                                       \
        {                                                                                          \
            ns3::odcn::GetWaitingCases().push_back(this);                                          \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        void DoRun() override;                                                                     \
    };                                                                                             \
    [[maybe_unused]] const TestCase* const g_case##Name = new Name;                                \
    void Name::DoRun()

/**
 * Define a case; the function's body follows.
 * @param Name of the class
 * @param title of the case
 */
#define ODCN_TEST_CASE(Name, title) ODCN_TEST_CASE_F(ns3::TestCase, Name, title)

/**
 * Define a case for each value of a parameter, with a fixture; the function's body follows.
 * @param Fixture a ParameterCase
 * @param Name of the class
 * @param title of the case with `parameter`
 * @param ... values of the parameter
 */
#define ODCN_TEST_CASES_F(Fixture, Name, title, ...)                                               \
    class Name : public Fixture                                                                    \
    {                                                                                              \
      public:                                                                                      \
        explicit Name(const Parameter& parameter)                                                  \
            : Fixture(title, parameter)                                                            \
        {                                                                                          \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        void DoRun() override;                                                                     \
    };                                                                                             \
    [[maybe_unused]] const bool g_cases##Name = ns3::odcn::AddCases<Name>({__VA_ARGS__});          \
    void Name::DoRun()

/**
 * Define a case for each value of a parameter; the function's body follows.
 * @param Name of the class
 * @param Type of the parameter
 * @param title of the case with `parameter`
 * @param ... values of the parameter
 */
#define ODCN_TEST_CASES(Name, Type, title, ...)                                                    \
    ODCN_TEST_CASES_F(ns3::odcn::ParameterCase<Type>, Name, title, __VA_ARGS__)

#endif /* ODCN_TEST_CASE_H */
