#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# distributed-packets: all packets and flows are accounted for, and with RANKS="2 4" the results of
# so many processes are those of one, byte for byte, with the granted time window and with null
# messages.
#
# Usage: distributed-packets-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

null=--SimulatorImplementationType=ns3::NullMessageSimulatorImpl

# run FOLDER OPTION ...
run()
{
    local folder=$1
    shift
    "${launcher[@]}" "$program" --output="$folder" "$@" >out 2>err
}

# compare NAME OPTION ...: one process, and RANKS.
compare()
{
    local name=$1 ranks simulator
    shift
    launcher=()
    run one "$@" || { complain "$name"; head -5 err; }
    awk -F, 'NR > 1 { sent += $6; got += $8; if ($8 > $6) exit 1 }
             END { exit !(sent > 500 && got > sent / 2) }' one/packets.csv ||
        complain "$name: packets of flows"
    awk '/^Packets/ { ok = $2 == $5 + $8 + $12 } END { exit !ok }' out || complain "$name: packets do not add up"
    for ranks in ${RANKS:-}; do
        launcher=(mpirun --oversubscribe --mca mpi_yield_when_idle 1 -n "$ranks")
        [ "$(id -u)" -ne 0 ] || launcher+=(--allow-run-as-root)
        for simulator in '' "$null"; do
            grep ^Packets out >packets
            rm -rf many
            run many "$@" $simulator || { complain "$name, $ranks processes $simulator"; tail -3 err; }
            for file in packets.csv flows.csv; do
                cmp "one/$file" "many/$file" || complain "$name, $ranks processes $simulator: $file"
            done
            [ "$(grep -c ^Packets out)" -eq 1 ] && grep -qxF "$(cat packets)" out ||
                complain "$name, $ranks processes $simulator: totals"
        done
    done
}

rotor=(--duration=0.2 --drain=0.4 --sizes=20000 --delay=5us)
mesh=(--network=mesh --duration=0.2 --drain=6 --sizes=20000)
compare "rotor fabric, direct" "${rotor[@]}" --routing=DirectRouting --load=0.3
compare "rotor fabric, two hops" "${rotor[@]}" --routing=ValiantRouting --load=0.3
compare "RotorLB" "${rotor[@]}" --routing=RotorLbRouting --load=0.3
compare "flows that wait in servers" "${rotor[@]}" --routing=DirectRouting --hold --load=0.3
compare "Opera, TCP" "${rotor[@]}" --schedule=OperaSchedule --transport=tcp --load=0.1
# Counters of other ranks may take 5 us; reports leave later than that, or take longer on a link.
control=(--duration=0.4 --drain=0.4 --sizes=20000 --delay=5us --load=0.3 --routing=DirectRouting
    --ns3::odcn::MatchingController::Epoch=100us)
late=--ns3::odcn::MatchingController::ReportDelay
link=(--ns3::odcn::ManagementNetwork::DataRate=1Gbps --ns3::odcn::ManagementNetwork::Delay=7us)
faults=(--mtbf=uplink=2ms,ocs-port=4ms,tor=9ms,mirror=9ms,fiber=4ms,server=9ms --detection=20us
    --mttr=uplink=60us,ocs-port=50us,tor=60us,mirror=60us,fiber=50us,server=60us)
# Counters of 70 racks take two messages a rack.
compare "matching algorithm" "${control[@]}" $late=5us --controller=MaxWeightMatching --racks=70 --servers=1
compare "rule, late reports" "${control[@]}" $late=230us --controller=max-weight-steady
compare "random rule, link" "${control[@]}" $late=0us "${link[@]}" --controller=random
compare "commanded schedule" "${rotor[@]}" --routing=ValiantRouting --load=0.3 --controller=schedule
compare "faults" "${rotor[@]}" --routing=RotorLbRouting --load=0.3 "${faults[@]}"
compare "faults, TCP and matchings" "${control[@]}" $late=5us --controller=MaxWeightMatching --transport=tcp "${faults[@]}"
compare "mesh" "${mesh[@]}" --load=0.2
compare "mesh, TCP" "${mesh[@]}" --transport=tcp --load=0.1

launcher=()
sha256sum one/* >before
mv one first
sed -i 's/one/first/' before
refusals <<'END'
error: look-ahead                     | --delay=0ns
error: fabric mesh                    | --network=torus
error: --controller --network=fabric  | --network=mesh --controller=greedy
error: --racks --network=fabric       | --network=mesh --racks=8
error: --schedule --controller=schedule | --schedule=OperaSchedule --controller=greedy
END
# What a launcher says about several processes, without one.
launcher=(env OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 OMPI_MCA_ess=singleton)
refuses 'error: 2 processes were started'
conclude
