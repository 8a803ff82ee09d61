// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ERROR_H
#define ODCN_ERROR_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Bad input (trace, topology, checkpoint, option), told in one line.
 *
 * Library code throws it before anything is changed; programs print what() after
 * "error: " and leave with a non-zero status.
 */
class OdcnError : public std::runtime_error
{
  public:
    /**
     * @param what one line, without a final full stop
     */
    explicit OdcnError(const std::string& what);

    /**
     * @param file file name as the user gave it
     * @param line line number, counted from 1; 0 when no line applies
     * @param value the offending text
     * @param expected what would have been accepted
     * @return "FILE:LINE: found 'VALUE', expected EXPECTED"
     */
    static OdcnError InFile(const std::string& file,
                            uint64_t line,
                            const std::string& value,
                            const std::string& expected);

    /**
     * @param option name of the option or Attribute
     * @param value the offending text
     * @param expected what would have been accepted
     * @return "OPTION: found 'VALUE', expected EXPECTED"
     */
    static OdcnError InOption(const std::string& option,
                              const std::string& value,
                              const std::string& expected);
};

} // namespace ns3::odcn

#endif /* ODCN_ERROR_H */
