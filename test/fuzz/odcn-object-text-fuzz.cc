// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Types with Attributes as text, and values of Attributes.

#include "odcn-fuzz.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/odcn-attribute-text.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-object-text.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_object_text)
{
    FuzzRead(
        [&]()
        {
            const auto object = ObjectText::Parse("object", text);
            const auto again = ObjectText::Parse("object", object.Write());
            FuzzRequire(again.type == object.type && again.attributes == object.attributes,
                        "Parse() reads what Write() writes");
        });
    // FileSchedule would read any file.
    if (text.find("File") == std::string::npos)
    {
        FuzzRead([&]() { FuzzRequire(bool{CircuitSchedule::Create(text)}, "a schedule"); });
    }
    for (const auto& checker : {MakeDoubleChecker<double>(),
                                MakeUintegerChecker<uint32_t>(),
                                MakeIntegerChecker<int64_t>(),
                                MakeTimeChecker(),
                                MakeDataRateChecker()})
    {
        // ns-3 aborts the program at a text that it cannot parse.
        if (IsReadable(*checker, text))
        {
            checker->CreateValidValue(StringValue(text));
        }
    }
}
