// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_COLUMN_READER_H
#define ODCN_COLUMN_READER_H

#include "ns3/odcn-row-reader.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

/// A quantity that ColumnReader reads.
struct ColumnField
{
    std::string name;                //!< its name
    std::optional<double> otherwise; //!< value where the file has none; without it one is required
};

/**
 * @ingroup odcn
 *
 * Reads quantities from the columns of any CSV file with a header, by a map such as
 *
 *     arrival=submit_time,cores=plan_cpu/100,duration=end_time-start_time
 *
 * Each quantity is a sum or difference of products and quotients of columns and numbers, without
 * parentheses. One that the map does not name is read from the column of its own name.
 */
class ColumnReader
{
  public:
    /**
     * @param path file, may be compressed by gzip
     * @param map in the form above; may be empty
     * @param fields quantities to be read
     * @param skipMalformed whether Read() returns false for malformed rows instead of refusing them
     * @throws OdcnError when the map has another form or names a quantity that is not in @p fields,
     * or the file cannot be read or lacks a column
     */
    ColumnReader(const std::string& path,
                 const std::string& map,
                 std::vector<ColumnField> fields,
                 bool skipMalformed = false);

    /// @return whether there is another row
    bool NextRow()
    {
        return m_reader.NextRow();
    }

    /**
     * @param [out] values of the row, by index of the field
     * @return false if the row is malformed and such rows are skipped
     * @throws OdcnError if the row is malformed otherwise: file, line, value, and what was expected
     */
    bool Read(std::vector<double>& values) const;

    /**
     * Report a value out of the range of its quantity.
     * @param field index of its field  @param value the value  @param expected what would be right
     * @return false, of a reader that skips malformed rows
     * @throws OdcnError otherwise
     */
    bool Malformed(std::size_t field, double value, const std::string& expected) const;

  private:
    /// An operator with its operand, a column or a number.
    struct Operand
    {
        char operation;     //!< + or - begin a term; * and / continue it
        bool isColumn;      //!< whether it is a column
        std::size_t column; //!< its index in m_columns
        double number;      //!< its value otherwise
    };

    /// A quantity: operands from left to right; empty when the file lacks the quantity.
    using Formula = std::vector<Operand>;

    /// @param text an expression  @return the formula, its columns in m_columns
    Formula Parse(std::string_view text);
    /// @param name of a column  @return index in m_columns
    std::size_t AddColumn(const std::string& name);

    std::vector<ColumnField> m_fields;  //!< quantities
    std::vector<std::string> m_columns; //!< names of columns that are used
    std::vector<Formula> m_formulas;    //!< by field
    RowReader m_reader;                 //!< the file
};

} // namespace ns3::odcn

#endif /* ODCN_COLUMN_READER_H */
