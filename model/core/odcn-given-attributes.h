// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_GIVEN_ATTRIBUTES_H
#define ODCN_GIVEN_ATTRIBUTES_H

#include "ns3/attribute.h"

#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Attributes whose defaults a user has given, on the command line or in the environment. While this
 * object exists, a program that sets such an Attribute to another value is refused, since what the
 * user gave would have no effect.
 *
 * It sees every object with Attributes of odcn, and what SetDefault() sets. It does not see where
 * objects of ns-3 are given other values than their defaults.
 */
class GivenAttributes
{
  public:
    GivenAttributes() = default;
    ~GivenAttributes();
    GivenAttributes(const GivenAttributes&) = delete;
    GivenAttributes& operator=(const GivenAttributes&) = delete;

    /**
     * @param where it was given, for errors
     * @param path TYPE::ATTRIBUTE
     * @param text its value, which is valid
     */
    void Add(const std::string& where, const std::string& path, const std::string& text);

    /**
     * As Config::SetDefault() with a text, but each object gets an object of its own where the text
     * is one: after Config::SetDefault(), all share one, and its random numbers.
     * @param path TYPE::ATTRIBUTE
     * @param text its value, which is valid
     */
    static void SetDefaultText(const std::string& path, const std::string& text);

    /**
     * @param path TYPE::ATTRIBUTE
     * @param value its default from now on, such as the initialValue of TypeId that it had
     */
    static void SetInitialValue(const std::string& path, const Ptr<const AttributeValue>& value);

    /**
     * As Config::SetDefault(), in a program after its command line has been read.
     * @param path TYPE::ATTRIBUTE
     * @param value the new default
     * @throws OdcnError when the user has given another one
     */
    static void SetDefault(const std::string& path, const AttributeValue& value);

    /**
     * @param path TYPE::ATTRIBUTE
     * @return whether the user has given it a value
     */
    static bool IsGiven(const std::string& path);

    /**
     * @param access of an Attribute
     * @return an accessor that refuses values other than a given one
     */
    static Ptr<const AttributeAccessor> Guard(const Ptr<const AttributeAccessor>& access);

  private:
    std::vector<std::string> m_paths; //!< those added
};

} // namespace ns3::odcn

#endif /* ODCN_GIVEN_ATTRIBUTES_H */
