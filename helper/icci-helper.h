// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_HELPER_H
#define ICCI_HELPER_H

#include "ns3/attribute.h"
#include "ns3/icci-migration.h"
#include "ns3/object-factory.h"

#include <memory>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Builds interconnected computing centres at the level of tasks: no node, no packet.
 *
 * @code
 *   IcciHelper helper;
 *   helper.SetMesh(OtnMesh::Read("data/sf-bay-22-38.json"));
 *   auto problem = helper.CreateProblem();
 *   problem->AssignStreams(0);
 *   problem->Reset();
 *   problem->RunEpisode(*CreateObject<IcciGreedyPolicy>());
 * @endcode
 */
class IcciHelper
{
  public:
    IcciHelper();

    /**
     * How much is going on. "stated": the numbers of the DeepHM paper, about a quarter of the
     * blocks are hotspots without migration. "light": smaller requests of the tide and tasks of
     * fewer CUs, about half as many.
     * @param name "stated" or "light"
     * @throws OdcnError when it is another name
     */
    void SetPreset(const std::string& name);

    /**
     * @param mesh whose sites are the centres
     * @throws OdcnError when it has fewer than three
     */
    void SetMesh(std::shared_ptr<const OtnMesh> mesh);

    /// @param name Attribute of IcciManager  @param value its value
    void SetManagerAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of IcciTide  @param value its value
    void SetTideAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of IcciTaskGenerator  @param value its value
    void SetTaskAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of IcciMigration  @param value its value
    void SetProblemAttribute(const std::string& name, const AttributeValue& value);

    /**
     * The decision problem with all it needs. AssignStreams() and Reset() are yet to be called.
     *
     * @return the problem
     * @throws OdcnError when an Attribute is out of range, or before SetMesh()
     */
    Ptr<IcciMigration> CreateProblem() const;

  private:
    ObjectFactory m_manager;               //!< IcciManager
    ObjectFactory m_tide;                  //!< IcciTide
    ObjectFactory m_tasks;                 //!< IcciTaskGenerator
    ObjectFactory m_problem;               //!< IcciMigration
    std::shared_ptr<const OtnMesh> m_mesh; //!< whose sites are the centres
};

} // namespace ns3::odcn

#endif /* ICCI_HELPER_H */
