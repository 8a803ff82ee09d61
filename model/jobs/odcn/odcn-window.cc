// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-window.h"

namespace ns3::odcn
{

void
OdcnWindow::Fill(const CsMgr& manager, const OdcnPlacedJob& placed, bool intraRack)
{
    job = placed.id;
    jobTime = manager.GetTime();
    formulaLatencyNs = manager.GetNetwork()->GetMeanLatencyNs();
    formulaLoss = manager.GetNetwork()->GetMeanLoss();
    flows.clear();
    manager.ForEachActive(
        [&](const OdcnPlacedJob& active)
        {
            for (const auto& demand : active.demands)
            {
                const ServerId from = active.servers[demand.from];
                const ServerId to = active.servers[demand.to];
                const bool interRack =
                    manager.GetServers().GetRack(from) != manager.GetServers().GetRack(to);
                if (interRack || (intraRack && from != to))
                {
                    flows.push_back(
                        {active.id, demand.from, demand.to, from, to, interRack, demand.rate});
                }
            }
        });
}

void
OdcnWindow::Open(Time now, Time warmUp, Time length)
{
    opened = now;
    measureFrom = opened + warmUp;
    measureUntil = measureFrom + length;
}

} // namespace ns3::odcn
