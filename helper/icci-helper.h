// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_HELPER_H
#define ICCI_HELPER_H

#include "ns3/attribute.h"
#include "ns3/icci-migration.h"
#include "ns3/object-factory.h"
#include "ns3/odcn-decision-policy.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * A way to run the interconnected centres: who decides, and what goes with it.
 */
struct IcciScheme
{
    std::string name;           //!< short name, e.g. "full-node"
    std::string policy;         //!< TypeId name, Attributes in brackets
    std::string search{"Swap"}; //!< IcciManager::Search
    bool wavelengths{false};    //!< IcciMigration::Wavelengths
    double outlook{24};         //!< IcciManager::Outlook, hours
    std::string state{"Paper"}; //!< IcciMigration::State that policies of that name are trained on

    /// @return the schemes that have a short name
    static const std::vector<IcciScheme>& GetKnown();

    /**
     * @param name a short name or the TypeId name of a policy, Attributes in brackets if any; after
     * "@" the hours of the outlook, if not the scheme's own
     * @return the scheme
     * @throws OdcnError when there is none, with the list of names
     */
    static IcciScheme Find(const std::string& name);

    /**
     * @return a new policy of it
     * @throws OdcnError when an Attribute is out of range, or this build has no agents
     */
    Ptr<OdcnDecisionPolicy> CreatePolicy() const;

    /**
     * Give a problem the Attributes that the policy was trained with, before its first decision.
     * @param problem of CreateProblem()  @param decider of CreatePolicy()
     * @throws OdcnError when the policy is of another kind of problem, or decides wavelengths where
     * the scheme does not, or the other way round
     */
    void Configure(IcciMigration& problem, OdcnDecisionPolicy& decider) const;
};

/**
 * @ingroup odcn
 *
 * Builds interconnected computing centres at the level of tasks: no node, no packet.
 *
 * @code
 *   IcciHelper helper;
 *   helper.SetMesh(OtnMesh::Read("data/sf-bay-22-38.json"));
 *   const auto scheme = IcciScheme::Find("greedy");
 *   auto problem = helper.CreateProblem(scheme, 1);
 *   IcciEvaluation evaluation;
 *   evaluation.Run(*problem, *scheme.CreatePolicy());
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

    /// @param name Attribute of IcciManager  @param value its value; a scheme sets its own after
    void SetManagerAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of IcciTide  @param value its value
    void SetTideAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of IcciTaskGenerator  @param value its value
    void SetTaskAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of IcciMigration  @param value its value
    void SetProblemAttribute(const std::string& name, const AttributeValue& value);

    /**
     * The decision problem with all it needs. Reset() is yet to be called.
     *
     * @param scheme which rings are looked for, and what is decided
     * @param stream first stream number
     * @return the problem
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<IcciMigration> CreateProblem(const IcciScheme& scheme, int64_t stream) const;

  private:
    ObjectFactory m_manager;               //!< IcciManager
    ObjectFactory m_tide;                  //!< IcciTide
    ObjectFactory m_tasks;                 //!< IcciTaskGenerator
    ObjectFactory m_problem;               //!< IcciMigration
    std::shared_ptr<const OtnMesh> m_mesh; //!< whose sites are the centres
};

} // namespace odcn
} // namespace ns3

#endif /* ICCI_HELPER_H */
