// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_TASK_GENERATOR_H
#define ICCI_TASK_GENERATOR_H

#include "icci-task.h"

#include "ns3/object.h"
#include "ns3/odcn-csv-table.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// A task of a file; NaN for a quantity that the file lacks.
struct IcciTaskRow
{
    /// Marks a quantity that the file lacks.
    static constexpr double NONE = std::numeric_limits<double>::quiet_NaN();

    double day{NONE};        //!< rows with the same day form one day
    double arrival{NONE};    //!< hour of the day
    double data{NONE};       //!< GB
    double parameters{NONE}; //!< in 10^9
    double accuracy{NONE};   //!< between 0 and 1
    double deadline{NONE};   //!< hours from arrival
    double workers{NONE};    //!< number of workers, 3 or more
    double source{NONE};     //!< data centre of origin
};

/**
 * @ingroup odcn
 *
 * Days of training tasks, random or from a file. The ranges are those of Table II of the DeepHM
 * paper. Attributes set what the paper does not specify: the number and arrival times of tasks,
 * their numbers of workers, and v in It = v log(1 / theta). Each quantity has its own random
 * variable, which is also used where a file lacks the quantity. Files of other columns are
 * converted by the program odcn-convert-trace.
 */
class IcciTaskGenerator : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    IcciTaskGenerator();

    /// @return the form of a file of tasks
    static const CsvTable<IcciTaskRow>& GetTable();

    /**
     * @param centres number of data centres, 3 or more
     * @return the tasks of the next day, earliest first
     * @throws OdcnError when a variable yields an invalid value, or the file cannot be read or is
     * invalid
     */
    std::vector<IcciTask> Draw(uint32_t centres);

    /**
     * Uses eight streams: the Attributes in their order, then the source.
     * @param stream first stream number to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    /// @param centres number of centres  @return the tasks of the file's next day
    std::vector<IcciTaskRow> NextDay(uint32_t centres);

    /// Read the next row into m_ahead. @param centres number of centres
    void ReadRow(uint32_t centres);

    Ptr<RandomVariableStream> m_tasks;      //!< number of tasks in a day
    Ptr<RandomVariableStream> m_arrival;    //!< hour of arrival
    Ptr<RandomVariableStream> m_data;       //!< D
    Ptr<RandomVariableStream> m_parameters; //!< P
    Ptr<RandomVariableStream> m_accuracy;   //!< theta
    Ptr<RandomVariableStream> m_deadline;   //!< hours from arrival
    Ptr<RandomVariableStream> m_workers;    //!< workers beyond three
    Ptr<UniformRandomVariable> m_source;    //!< first data centre of a task
    double m_iterationScale;                //!< v
    std::string m_file;                     //!< file of tasks; empty for random tasks
    std::optional<IcciTaskRow> m_ahead;     //!< next task of the file
    /// Open file; null before the first read.
    std::unique_ptr<CsvTableReader<IcciTaskRow>> m_reader;
};

} // namespace ns3::odcn

#endif /* ICCI_TASK_GENERATOR_H */
