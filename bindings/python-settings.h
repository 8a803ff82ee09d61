// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef PYTHON_SETTINGS_H
#define PYTHON_SETTINGS_H

/**
 * @file
 * Attributes and options that a user of Python sets, and the objects that get them.
 */

#include "odcn-python.h"

#include "ns3/object.h"
#include "ns3/odcn-decision-problem.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"
#include "ns3/string.h"

#include <string>
#include <utility>

namespace odcn_python
{

/// What a user sets, handed to the helper and to the objects that have it.
class Settings
{
  public:
    /// @param texts Attributes and options
    explicit Settings(Texts texts)
        : m_texts(std::move(texts))
    {
    }

    /// @param name of an option  @param value if it is not set  @return its value
    std::string Take(const std::string& name, const std::string& value)
    {
        const auto node = m_texts.extract(name);
        return node.empty() ? value : node.mapped();
    }

    /// @param name of an option  @param value if it is not set  @return its value, 0 or more
    double TakeNumber(const std::string& name, double value)
    {
        const std::string text = Take(name, "");
        const auto number = text.empty() ? value : ns3::odcn::ParseFinite(text);
        if (!number || *number < 0)
        {
            throw ns3::odcn::OdcnError::InOption(name, text, "a number, 0 or more");
        }
        return *number;
    }

    /// @param name of an Attribute  @return whether it is set and no object had it so far
    bool Has(const std::string& name) const
    {
        return m_texts.contains(name);
    }

    /**
     * Set the Attributes that a type has.
     * @param tid the type  @param set called with the name and the value of each
     * @throws ns3::odcn::OdcnError when a value is out of range
     */
    template <typename F>
    void Apply(ns3::TypeId tid, F set)
    {
        for (auto text = m_texts.begin(); text != m_texts.end();)
        {
            const auto& [name, value] = *text;
            ns3::TypeId::AttributeInformation attribute;
            if (!tid.LookupAttributeByName(name, &attribute))
            {
                ++text;
                continue;
            }
            CheckValue(tid, name, value);
            set(name, ns3::StringValue(value));
            text = m_texts.erase(text);
        }
    }

    /// Set the Attributes that an object has. @param object the object  @throws as the other
    void Apply(ns3::Object& object)
    {
        Apply(object.GetInstanceTypeId(),
              [&](const std::string& name, const ns3::AttributeValue& value)
              { object.SetAttribute(name, value); });
    }

    /// Set what is left. @param problem the problem  @throws ns3::odcn::OdcnError as
    /// DecisionProblem::Set()
    void Finish(ns3::odcn::DecisionProblem& problem) const
    {
        for (const auto& [name, value] : m_texts)
        {
            problem.Set(name, value);
        }
    }

  private:
    Texts m_texts; //!< those not used yet
};

} // namespace odcn_python

#endif /* PYTHON_SETTINGS_H */
