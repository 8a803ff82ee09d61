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

/// A quantity read by ColumnReader.
struct ColumnField
{
    std::string name;                //!< name of the quantity
    std::optional<double> otherwise; //!< default for files without it; if unset, it is required
};

/**
 * @ingroup odcn
 *
 * Reads quantities from any CSV file with a header, through a column map such as
 *
 *     arrival=submit_time,cores=plan_cpu/100,duration=end_time-start_time
 *
 * Each quantity is a sum or difference of products and quotients of columns and numbers, without
 * parentheses. A quantity that the map does not name is read from the column of the same name.
 */
class ColumnReader
{
  public:
    /**
     * @param path input file, may be gzip-compressed
     * @param map column map in the form above; may be empty
     * @param fields quantities to read
     * @param skipMalformed whether Read() returns false for malformed rows instead of refusing them
     * @throws OdcnError when the map is malformed or names a quantity that is not in @p fields,
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
     * @param [out] values values of the row, by index of the field
     * @return false if the row is malformed and such rows are skipped
     * @throws OdcnError if the row is malformed otherwise, with file, line, value and expectation
     */
    bool Read(std::vector<double>& values) const;

    /**
     * Report a value that is out of range.
     * @param field index of its field  @param value the value  @param expected the valid range
     * @return false if the reader skips malformed rows
     * @throws OdcnError otherwise
     */
    bool Malformed(std::size_t field, double value, const std::string& expected) const;

  private:
    /// An operator and its operand, a column or a number.
    struct Operand
    {
        char operation;     //!< + or - starts a term; * or / continues it
        bool isColumn;      //!< whether the operand is a column
        std::size_t column; //!< index of the column in m_columns
        double number;      //!< value of a number
    };

    /// Formula of a quantity: operands from left to right; empty when the file lacks the quantity.
    using Formula = std::vector<Operand>;

    /// Parse an expression; add its columns to m_columns. @param text expression  @return formula
    Formula Parse(std::string_view text);
    /// @param name name of a column  @return its index in m_columns
    std::size_t AddColumn(const std::string& name);

    std::vector<ColumnField> m_fields;  //!< quantities
    std::vector<std::string> m_columns; //!< names of the used columns
    std::vector<Formula> m_formulas;    //!< formulas, by field
    RowReader m_reader;                 //!< input file
};

} // namespace ns3::odcn

#endif /* ODCN_COLUMN_READER_H */
