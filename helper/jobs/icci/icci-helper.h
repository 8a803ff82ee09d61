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
 * Builds interconnected computing centres at task level, without nodes and packets.
 *
 * @code
 *   IcciHelper helper;
 *   helper.SetMesh(OtnMesh::Read("data/sf-bay-22-38.json"));
 *   auto problem = helper.CreateProblem();
 *   problem->AssignStreams(0);
 *   problem->Reset();
 *   problem->RunEpisode(*DecisionPolicy::Create("ns3::odcn::IcciGreedyPolicy"));
 * @endcode
 */
class IcciHelper
{
  public:
    IcciHelper();

    /**
     * Set the load. "stated": the parameters of the DeepHM paper; without migration about a quarter
     * of the blocks are hotspots. "light": background requests and tasks that need fewer CUs; about
     * half as many hotspots.
     * @param name "stated" or "light"
     * @throws OdcnError for any other name
     */
    void SetPreset(const std::string& name);

    /**
     * @param mesh mesh whose sites are the centres
     * @throws OdcnError when it has fewer than three sites
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
     * Create the decision problem with its components. Then call AssignStreams() and Reset().
     *
     * @return the problem
     * @throws OdcnError when an Attribute is out of range, or SetMesh() was not called
     */
    Ptr<IcciMigration> CreateProblem() const;

  private:
    ObjectFactory m_manager;               //!< creates IcciManager
    ObjectFactory m_tide;                  //!< creates IcciTide
    ObjectFactory m_tasks;                 //!< creates IcciTaskGenerator
    ObjectFactory m_problem;               //!< creates IcciMigration
    std::shared_ptr<const OtnMesh> m_mesh; //!< mesh whose sites are the centres
};

} // namespace ns3::odcn

#endif /* ICCI_HELPER_H */
