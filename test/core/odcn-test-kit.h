// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TEST_KIT_H
#define ODCN_TEST_KIT_H

/**
 * @file
 * What many tests need: values of Attributes, containers, objects made from settings, and the
 * message of a refusal.
 */

#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * Call a function that is to refuse its input.
 * @param call may throw
 * @return message of the OdcnError, which must be one line; empty if nothing was thrown
 */
inline std::string
GetRefusal(const std::function<void()>& call)
{
    try
    {
        call();
    }
    catch (const OdcnError& error)
    {
        const std::string text = error.what();
        return text.find('\n') == std::string::npos ? text : "several lines: " + text;
    }
    return "";
}

/// @param path of a file  @return its content
inline std::string
ReadText(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// @param text any
/// @param part of it
/// @return how often it occurs
inline std::size_t
CountOf(const std::string& text, const std::string& part)
{
    std::size_t n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    {
        ++n;
    }
    return n;
}

/// @param source of lines
/// @return all of them
inline std::vector<std::string>
LinesOf(std::istream&& source)
{
    std::vector<std::string> lines;
    for (std::string line; std::getline(source, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

/**
 * Set Attributes.
 * @param settings "Name=value|Name=value"
 * @param set called with each name and value
 */
template <typename F>
void
ForSettings(const std::string& settings, F set)
{
    for (const auto& [name, value] : ObjectText::Parse("test", "Test[" + settings + "]").attributes)
    {
        set(name, StringValue(value));
    }
}

/**
 * Set Attributes of an object.
 * @param object any
 * @param settings "Name=value|Name=value"
 */
template <typename T>
void
Configure(const Ptr<T>& object, const std::string& settings)
{
    ForSettings(settings,
                [&](const std::string& name, const StringValue& value)
                { object->SetAttribute(name, value); });
}

/**
 * Set Attributes of what a helper creates.
 * @param helper any
 * @param set its function, e.g. &OdcnHelper::SetJobAttribute
 * @param settings "Name=value|Name=value"
 */
template <typename T>
void
Configure(T& helper,
          void (T::*set)(const std::string&, const AttributeValue&),
          const std::string& settings)
{
    ForSettings(settings,
                [&](const std::string& name, const StringValue& value)
                { (helper.*set)(name, value); });
}

/// Set Attributes of a decision problem and its parts.
/// @param problem any
/// @param settings "Name=value|Name=value"
template <typename T>
void
SetParts(const Ptr<T>& problem, const std::string& settings)
{
    ForSettings(settings,
                [&](const std::string& name, const StringValue& value)
                { problem->Set(name, value.Get()); });
}

/// @param function any  @return it as a callback of ns-3
template <typename... Args>
Callback<void, Args...>
AsCallback(const std::function<void(Args...)>& function)
{
    return Callback<void, Args...>(function);
}

/**
 * Call a function at each event of a trace source.
 * @param object that has the source
 * @param source its name
 * @param call with the source's arguments
 */
template <typename T, typename F>
void
Listen(const T& object, const std::string& source, F call)
{
    object->TraceConnectWithoutContext(source, AsCallback(std::function(std::move(call))));
}

/**
 * Record the events of a trace source with one argument.
 * @param object that has the source
 * @param source its name
 * @param [out] events gets each
 */
template <typename T, typename E>
void
Record(const T& object, const std::string& source, std::vector<E>& events)
{
    Listen(object, source, [&events](const E& event) { events.push_back(event); });
}

/**
 * Call a function for all pairs of numbers below another.
 * @param n the bound
 * @param call with both, the first one in the outer loop
 */
template <typename F>
void
ForPairs(uint32_t n, F call)
{
    for (uint32_t i = 0; i < n; ++i)
    {
        for (uint32_t j = 0; j < n; ++j)
        {
            call(i, j);
        }
    }
}

/**
 * Call a function for each value.
 * @param values a range, or n for 0 to n - 1
 * @param call with each
 */
template <typename R, typename F>
void
ForEach(R&& values, F call)
{
    using Number = std::remove_cvref_t<R>;
    if constexpr (std::is_integral_v<Number>)
    {
        for (Number i = 0; i < values; ++i)
        {
            call(i);
        }
    }
    else
    {
        for (auto&& value : values)
        {
            call(value);
        }
    }
}

/// @param values a range, or n for 0 to n - 1
/// @param get function or member of each
/// @return their sum
template <typename T, typename R, typename F>
T
SumOf(R&& values, F get)
{
    T sum{};
    ForEach(values, [&](auto&& value) { sum += std::invoke(get, value); });
    return sum;
}

/// @param values a range, or n for 0 to n - 1
/// @param get function or member of each
/// @return what it gives
template <typename T, typename R, typename F>
std::vector<T>
ListOf(R&& values, F get)
{
    std::vector<T> list;
    ForEach(values, [&](auto&& value) { list.push_back(std::invoke(get, value)); });
    return list;
}

/// @param source with Next()
/// @return all that is to come
template <typename T, typename S>
std::vector<T>
ReadAll(S& source)
{
    std::vector<T> all;
    for (T one; source.Next(one);)
    {
        all.push_back(one);
    }
    return all;
}

/// A source of jobs or requests from a list.
template <typename Source, typename Item>
class Listed : public Source
{
  public:
    /// @param items in order
    explicit Listed(std::vector<Item> items)
        : m_items(std::move(items))
    {
    }

    bool Next(Item& item) override
    {
        if (m_next == m_items.size())
        {
            return false;
        }
        item = m_items[m_next++];
        return true;
    }

    int64_t AssignStreams(int64_t) override
    {
        return 0;
    }

  private:
    std::vector<Item> m_items; //!< the list
    std::size_t m_next{0};     //!< index of the next one
};

/// @param object any
/// @param name of an Attribute
/// @return its value
template <typename T>
std::string
SettingOf(const T& object, const std::string& name)
{
    StringValue value;
    object->GetAttribute(name, value);
    return value.Get();
}

/// @param problem a decision problem
/// @return its observation
template <typename T>
std::vector<float>
ObservationOf(const T& problem)
{
    std::vector<float> observation(problem.GetObservationSize());
    problem.Observe(observation.data());
    return observation;
}

/// @param problem a decision problem
/// @return its mask
template <typename T>
std::vector<uint8_t>
MaskOf(const T& problem)
{
    std::vector<uint8_t> mask(problem.GetNActions());
    problem.Mask(mask.data());
    return mask;
}

/// @param time for how long to run the simulator
inline void
RunFor(Time time)
{
    Simulator::Stop(time);
    Simulator::Run();
}

/// Ends a simulation; the last member of what uses one, so that it is destroyed first.
struct SimulationEnd
{
    ~SimulationEnd()
    {
        Simulator::Destroy();
    }
};

/// @param settings "Name=value|Name=value"  @return an object with these Attributes
template <typename T>
Ptr<T>
Make(const std::string& settings)
{
    const Ptr<T> object = CreateObject<T>();
    Configure(object, settings);
    return object;
}

/// The mean of a sample.
struct SampleMean
{
    double sum{0};     //!< of the values
    double squares{0}; //!< sum of their squares
    double n{0};       //!< values

    /// @param x a value
    void Add(double x)
    {
        sum += x;
        squares += x * x;
        ++n;
    }

    /// @return the mean
    double Get() const
    {
        return sum / n;
    }

    /// @return its standard error
    double GetError() const
    {
        return std::sqrt((squares / n - Get() * Get()) / n);
    }
};

} // namespace ns3::odcn

/**
 * In a function that looks for a broken invariant: return it.
 * @param condition whether it is broken
 * @param invariant in words
 */
#define BROKEN_IF(condition, invariant)                                                            \
    do                                                                                             \
    {                                                                                              \
        if (condition)                                                                             \
        {                                                                                          \
            return invariant;                                                                      \
        }                                                                                          \
    } while (false)

#endif /* ODCN_TEST_KIT_H */
