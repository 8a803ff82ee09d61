// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FAULT_HELPER_H
#define ODCN_FAULT_HELPER_H

#include "ns3/nstime.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fault-injector.h"
#include "ns3/odcn-fault-plan.h"
#include "ns3/odcn-object-text.h"
#include "ns3/ptr.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ns3::odcn
{

class ManagementNetwork;
class OdcnCommandLine;

/**
 * @ingroup odcn
 *
 * The faults that a program's user asks for: from a file, sampled, or both.
 *
 * @code
 *   FaultHelper faults;
 *   faults.AddOptions(cmd);
 *   cmd.Parse();
 *   faults.Check();
 *   ...
 *   Ptr<FaultInjector> injector = faults.Create();
 *   injector->SetFabric(fabric);
 *   faults.Start(injector, Seconds(1), stream);
 * @endcode
 */
class FaultHelper
{
  public:
    /// Number of streams of random numbers that Start() uses.
    static constexpr int64_t STREAMS = 2 * FAULT_PARTS;

    /// Add --faults, --mtbf, --mttr and --detection. @param cmd command line
    void AddOptions(OdcnCommandLine& cmd);

    /// Read the options and the file, after Time::SetResolution(). @throws OdcnError when they are
    /// malformed
    void Check();

    /// Add a fault to those of the file, after Check(). @param fault the fault
    void Add(const Fault& fault)
    {
        m_plan.Add(fault);
    }

    /// @return whether there may be faults; valid after Check()
    bool IsUsed() const
    {
        return !m_plan.Get().empty() || !m_times.empty();
    }

    /// @return an injector without parts
    Ptr<FaultInjector> Create() const;

    /**
     * Add the parts controller, partition, lost-commands and late-commands to an injector.
     * @param injector an injector
     * @param network carries the controller's messages
     * @param setDown crashes (true) or restarts the controller
     */
    static void AddController(Ptr<FaultInjector> injector,
                              Ptr<ManagementNetwork> network,
                              const std::function<void(bool)>& setDown);

    /**
     * @tparam C class of a controller with GetManagement() and SetDown(), as SchedulerApplication
     * @param injector an injector  @param controller the controller
     */
    template <typename C>
    static void AddController(Ptr<FaultInjector> injector, Ptr<C> controller)
    {
        AddController(injector,
                      controller->GetManagement(),
                      [controller](bool down) { controller->SetDown(down); });
    }

    /**
     * Sample faults and add those of the file.
     *
     * @param sizes gives the parts of a kind, none for kinds that there are not
     * @param until sampled failures start before this time
     * @param stream first stream number to use, of STREAMS
     * @param skipOthers as for Start()
     * @return the faults
     * @throws OdcnError when there is no such kind of part
     */
    FaultPlan Sample(const std::function<FaultSizes(FaultPart)>& sizes,
                     Time until,
                     int64_t stream,
                     bool skipOthers = false) const;

    /**
     * Sample faults and add those of the file, for a manager with a clock of its own.
     * @param parts the parts that there are  @param until sampled failures start before this time
     * @param stream first stream number to use, of STREAMS
     * @return the faults in order of time
     * @throws OdcnError when there is no such part
     */
    std::shared_ptr<const FaultTimeline> MakeTimeline(const FaultParts& parts,
                                                      Time until,
                                                      int64_t stream) const;

    /// @param sizes gives the parts of a kind, none for kinds that there are not
    /// @return names of the kinds of part with faults that there are not
    std::vector<std::string> FindLacking(const std::function<FaultSizes(FaultPart)>& sizes) const;

    /**
     * Sample faults and start them and those of the file.
     *
     * @param injector with all its parts
     * @param until sampled failures start before this time
     * @param stream first stream number to use, of STREAMS
     * @param skipOthers whether to leave out kinds of part that the network lacks, as an electrical
     * one has no optical switch; otherwise they are an error
     * @return the faults
     * @throws OdcnError when the network lacks a part
     */
    FaultPlan Start(Ptr<FaultInjector> injector,
                    Time until,
                    int64_t stream,
                    bool skipOthers = false) const;

    /**
     * Sample faults and start them and those of the file, in a fabric and its control, for as long
     * as the controller has jobs, of which one arrives in each unit of job time on average.
     * @tparam C class of a controller, as for AddController(), with Attributes JobTimeUnit and
     * MaxJobs
     * @param fabric the fabric
     * @param scheduler the controller
     * @param stream first stream number to use, of STREAMS
     * @return the injector
     * @throws OdcnError when faults are to be sampled without end, with MaxJobs 0; to sample until
     * another time there is the function above
     */
    template <typename C>
    Ptr<FaultInjector> Start(Ptr<OcsFabric> fabric, Ptr<C> scheduler, int64_t stream) const
    {
        const auto unit = GetAttributeOf<TimeValue>(*scheduler, "JobTimeUnit");
        const auto jobs = GetAttributeOf<UintegerValue>(*scheduler, "MaxJobs");
        if (jobs == 0 && !m_times.empty())
        {
            throw OdcnError::InOption("MaxJobs of a controller with sampled faults",
                                      "0, which has no end",
                                      "the number of jobs");
        }
        auto injector = Create();
        injector->SetFabric(fabric);
        AddController(injector, scheduler);
        Start(injector, unit * static_cast<int64_t>(jobs), stream);
        return injector;
    }

  private:
    /// Mean times of a kind of part.
    struct Times
    {
        Time up;   //!< MTBF
        Time down; //!< MTTR
    };

    std::string m_file;                  //!< option faults
    std::string m_mtbf;                  //!< option mtbf
    std::string m_mttr;                  //!< option mttr
    Time m_detection{MicroSeconds(100)}; //!< option detection
    FaultPlan m_plan;                    //!< faults of the file
    std::map<FaultPart, Times> m_times;  //!< of kinds that are sampled
};

} // namespace ns3::odcn

#endif /* ODCN_FAULT_HELPER_H */
