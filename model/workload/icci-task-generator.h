// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_TASK_GENERATOR_H
#define ICCI_TASK_GENERATOR_H

#include "icci-task.h"
#include "odcn-column-reader.h"

#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Days of training tasks: random ones, or those of a file. The ranges are those of Table II of the
 * DeepHM paper; what it leaves open is an Attribute: how many tasks arrive and when, how many
 * workers they have, and v in It = v log(1 / theta). Each number has a random variable of its own,
 * which also draws it where a file does not have it.
 */
class IcciTaskGenerator : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    IcciTaskGenerator();

    /**
     * @param centres number of centres, 3 or more
     * @return the tasks of the next day, earliest first
     * @throws OdcnError when a variable yields a value that no task can have, or the file cannot be
     * read or is refused
     */
    std::vector<IcciTask> Draw(uint32_t centres);

    /**
     * Uses eight streams, in the order of the Attributes and then for the source.
     * @param stream first stream number to use
     * @return how many streams were used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    /// Quantities that a file may have; rows with the same day form one day.
    enum Quantity
    {
        DAY,
        ARRIVAL,
        DATA,
        PARAMETERS,
        ACCURACY,
        DEADLINE,
        WORKERS,
        SOURCE,
        QUANTITIES
    };

    /// A task of the file; NaN for a quantity that the file lacks.
    using Row = std::array<double, QUANTITIES>;

    /// @param centres number of centres  @return the tasks of the file's next day
    std::vector<Row> NextDay(uint32_t centres);

    /// Read the next row into m_ahead. @param centres number of centres
    void ReadRow(uint32_t centres);

    Ptr<RandomVariableStream> m_tasks;      //!< number of tasks in a day
    Ptr<RandomVariableStream> m_arrival;    //!< hour of arrival
    Ptr<RandomVariableStream> m_data;       //!< D
    Ptr<RandomVariableStream> m_parameters; //!< P
    Ptr<RandomVariableStream> m_accuracy;   //!< theta
    Ptr<RandomVariableStream> m_deadline;   //!< hours from arrival
    Ptr<RandomVariableStream> m_workers;    //!< workers beyond three
    Ptr<UniformRandomVariable> m_source;    //!< first centre of a task
    double m_iterationScale;                //!< v
    std::string m_file;                     //!< file of tasks; empty for random tasks
    std::string m_columns;                  //!< map of its columns
    std::unique_ptr<ColumnReader> m_reader; //!< the file, once it is open
    std::optional<Row> m_ahead;             //!< its next task
};

} // namespace ns3::odcn

#endif /* ICCI_TASK_GENERATOR_H */
