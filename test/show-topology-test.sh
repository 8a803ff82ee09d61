#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# show-topology as a user runs it: every network has its nodes, links and circuits, the same command
# gives the same bytes, Graphviz draws a group for each node and link, loads have the colour of their
# class, a run of icci-hotspot-migration is drawn, and bad input gives one error line and writes nothing.
#
# Usage: show-topology-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

options=(--racks=8 --servers=4 --uplinks=4 --slot=20 --dark=2)

# holds NODES LINKS CIRCUITS OPTIONS...: numbers in the picture; a circuit's line has the hue of its switch.
holds()
{
    local nodes=$1 links=$2 circuits=$3 dot=first/topology.dot
    shift 3
    run first "$@" || { complain "$*"; cat err; }
    [ "$(grep -c '^  n[0-9]* \[' $dot)" -eq "$nodes" ] || complain "$*: not $nodes nodes"
    [ "$(grep -c ' -- ' $dot)" -eq "$links" ] || complain "$*: not $links lines"
    local sum
    sum=$(grep -o '[0-9]* circuits of switch' $dot | awk '{ n += $1 } END { print n + 0 }')
    [ "$sum" -eq "$circuits" ] || complain "$*: $sum circuits, not $circuits"
}

# 8 racks, 32 servers, 4 optical switches; 32 links to servers, 32 fibres, and circuits by shifts of 1,
# 2, 4 and 6 racks. A shift of 4 is its own reverse: two circuits are one line.
holds 44 92 32 --schedule=RoundRobinSchedule --at=15us
holds 44 64 0 --schedule=RoundRobinSchedule[ReconfigurationTime=10us] --at=101us
holds 44 64 0 --network=helios
holds 44 92 32 --network=sirius --gbps=40 # the middle of its slots, not of those of --slot
holds 41 40 0 --network=clos-3:1 # 3:1 of four servers is one spine
holds 33 32 0 --network=ideal
holds 22 38 0 --network=mesh
holds 37 52 0 --network=centre
holds 74 80 0 --network=rddc
for name in expander rotornet-direct rotornet opera opera-hold sirius hybrid max-weight birkhoff vermilion fat-tree; do
    run first --network=$name || { complain "$name"; cat err; }
    [ $name = fat-tree ] || grep -q 'circuits of switch' first/topology.dot || complain "$name without circuits"
done

# Half of a leaf's demand of 0.3 x 4 x 10 Gb/s leaves by either way; 120 % of its one uplink.
run first --network=clos-3:1 --demand=uniform --load=0.3 || complain "a demand"
[ "$(grep -c ' -- .*color="#000000".*120 %' first/topology.dot)" -eq 8 ] || complain "links with too much demand"
sha256sum first/* >before
run second --network=clos-3:1 --demand=uniform --load=0.3
same first second

# A run of icci-hotspot-migration: centre 0 has used 90 of its 100 CUs, link 1 a quarter.
mkdir day
printf '%s\n' policy,run,centre,name,area,hour,remaining_cus,hot none,4,0,A,business,9,10,1 >day/hotspots.csv
printf '%s\n' policy,run,link,from,to,hour,use none,4,1,0,2,9,0.25 none,4,1,0,2,8,0.9 >day/links.csv
run third --network=mesh --run=day --hour=9 || { complain "a run"; cat err; }
grep -q 'n0 .*tooltip="San Francisco, 90 % in use".*fillcolor="#a50026"' third/topology.dot || complain "use of a centre"
grep -q 'n0 -- n2 .*color="#74add1".*: 40 wavelengths, 25 %"' third/topology.dot || complain "use of a link"

if command -v neato >/dev/null; then
    run svg && neato -n2 -Tsvg svg/topology.dot -o svg/topology.svg || { complain "SVG"; cat err; }
    python3 - svg/topology.svg svg/topology.dot <<'END' || complain "the SVG lacks nodes or links"
import re, sys
import xml.etree.ElementTree as xml
groups = [g.get("class") for g in xml.parse(sys.argv[1]).getroot().iter("{http://www.w3.org/2000/svg}g")]
dot = open(sys.argv[2]).read()
same = groups.count("edge") == dot.count(" -- ") and groups.count("node") == len(re.findall(r"^  \w+ \[pos|^  legend", dot, re.M))
sys.exit(not same)
END
else
    leave_out "drawings by Graphviz (Debian: apt install graphviz)"
fi
[ "$(ls first)" = topology.dot ] || complain "other files: $(ls first)"

refusals <<'END'
network expected mesh opera | --network=torus
schedule without --network  | --network=opera --schedule=RotorSchedule
OperaSchedule RotorSchedule | --schedule=Rotor
expected uniform            | --demand=chess
run network=mesh            | --run=day
policy none                 | --network=mesh --run=day --policy=greedy
hotspots.csv                | --network=mesh --run=nowhere
nowhere.json                | --network=mesh --mesh=nowhere.json
hour 23                     | --hour=24
gpus 2662                   | --network=centre --gpus=3000
END
conclude
