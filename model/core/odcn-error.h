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
 * Invalid input (trace, topology, checkpoint, option), described in one line.
 *
 * Library code throws it before it changes any state; programs print what() after
 * "error: " and exit with a non-zero status.
 */
class OdcnError : public std::runtime_error
{
  public:
    /**
     * @param what one line without a final full stop
     */
    explicit OdcnError(const std::string& what);

    /**
     * @param file file name as given by the user
     * @param line line number, counted from 1; 0 when no line applies
     * @param value the invalid text
     * @param expected description of the valid values
     * @return "FILE:LINE: found 'VALUE', expected EXPECTED"
     */
    static OdcnError InFile(const std::string& file,
                            uint64_t line,
                            const std::string& value,
                            const std::string& expected);

    /**
     * @param option name of the option or Attribute
     * @param value the invalid text
     * @param expected description of the valid values
     * @return "OPTION: found 'VALUE', expected EXPECTED"
     */
    static OdcnError InOption(const std::string& option,
                              const std::string& value,
                              const std::string& expected);
};

} // namespace ns3::odcn

#endif /* ODCN_ERROR_H */
