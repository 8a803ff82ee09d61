// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NS3_COMPAT_H
#define ODCN_NS3_COMPAT_H

/**
 * @file
 * The only file that depends on the ns-3 version. The build defines ODCN_NS3_VERSION as
 * 100 x major + minor (3.37 is 337). For .cc files only: never include it in a public header.
 */

#include "ns3/enum.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <functional>
#include <utility>

#ifndef ODCN_NS3_VERSION
#error "ODCN_NS3_VERSION is not defined: build odcn with its own CMakeLists.txt or wscript"
#endif

namespace ns3::odcn
{

#if ODCN_NS3_VERSION >= 341
/// EnumValue became a template in ns-3.41. @tparam T the enum type
template <typename T>
using CompatEnumValue = EnumValue<T>;

/// @tparam T the enum type  @param a member  @return an accessor of it
template <typename T, typename A>
Ptr<const AttributeAccessor>
CompatEnumAccessor(A a)
{
    return MakeEnumAccessor<T>(a);
}
#else
/// EnumValue became a template in ns-3.41. @tparam T the enum type
template <typename T>
using CompatEnumValue = EnumValue;

/// @tparam T the enum type  @param a member  @return an accessor of it
template <typename T, typename A>
Ptr<const AttributeAccessor>
CompatEnumAccessor(A a)
{
    return MakeEnumAccessor(a);
}
#endif

#if ODCN_NS3_VERSION >= 342
/// TestCase::QUICK became a scoped enumerator in ns-3.42.
constexpr auto COMPAT_QUICK = TestCase::Duration::QUICK;
/// TestSuite::UNIT became a scoped enumerator in ns-3.42.
constexpr auto COMPAT_UNIT = TestSuite::Type::UNIT;
#else
/// TestCase::QUICK became a scoped enumerator in ns-3.42.
constexpr auto COMPAT_QUICK = TestCase::QUICK;
/// TestSuite::UNIT became a scoped enumerator in ns-3.42.
constexpr auto COMPAT_UNIT = TestSuite::UNIT;
#endif

/// Simulator::Schedule() takes functions with captures since ns-3.36.
/// @param delay from now  @param call what happens then  @return the event
inline EventId
CompatSchedule(const Time& delay, std::function<void()> call)
{
#if ODCN_NS3_VERSION >= 336
    return Simulator::Schedule(delay, std::move(call));
#else
    void (*run)(std::function<void()>) = [](std::function<void()> f) { f(); };
    return Simulator::Schedule(delay, run, std::move(call));
#endif
}

/**
 * Up to ns-3.37, Bind() and Connect() replace a socket's TOS by that of the address; later the
 * address has none.
 * @param address an InetSocketAddress  @param tos its TOS, if it can have one
 */
template <typename T>
void
CompatSetTos([[maybe_unused]] T& address, [[maybe_unused]] uint8_t tos)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    if constexpr (requires { address.SetTos(tos); })
    {
        address.SetTos(tos);
    }
#pragma GCC diagnostic pop
}

} // namespace ns3::odcn

#endif /* ODCN_NS3_COMPAT_H */
