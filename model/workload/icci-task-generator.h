// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_TASK_GENERATOR_H
#define ICCI_TASK_GENERATOR_H

#include "icci-task.h"

#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * Random days of training tasks. The ranges are those of Table II of the DeepHM paper; what it
 * leaves open is an Attribute: how many tasks arrive and when, how many workers they have, and v in
 * It = v log(1 / theta). Each number has a random variable of its own.
 */
class IcciTaskGenerator : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    IcciTaskGenerator();

    /**
     * @param centres how many there are, 3 or more
     * @return the tasks of the next day, earliest first
     * @throws OdcnError when a variable yields a value that no task can have
     */
    std::vector<IcciTask> Draw(uint32_t centres);

    /**
     * Uses eight streams, in the order of the Attributes and then for the source.
     * @param stream first stream number to use
     * @return how many streams were used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    Ptr<RandomVariableStream> m_tasks;      //!< how many a day
    Ptr<RandomVariableStream> m_arrival;    //!< hour of arrival
    Ptr<RandomVariableStream> m_data;       //!< D
    Ptr<RandomVariableStream> m_parameters; //!< P
    Ptr<RandomVariableStream> m_accuracy;   //!< theta
    Ptr<RandomVariableStream> m_deadline;   //!< hours from arrival
    Ptr<RandomVariableStream> m_workers;    //!< workers beyond three
    Ptr<UniformRandomVariable> m_source;    //!< S
    double m_iterationScale;                //!< v
};

} // namespace odcn
} // namespace ns3

#endif /* ICCI_TASK_GENERATOR_H */
