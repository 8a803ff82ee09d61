// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-placement-window.h"

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
    manager.ForEachActive([&](const OdcnPlacedJob& active)
                          { OdcnFlow::Append(manager, active, intraRack, flows); });
}

void
OdcnWindow::Open(Time now, Time warmUp, Time length)
{
    opened = now;
    measureFrom = opened + warmUp;
    measureUntil = measureFrom + length;
}

} // namespace ns3::odcn
