#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# show-topology as a user runs it: every network has its nodes, links and circuits, the same command
# gives the same bytes, names of a map do not overlap, pictures are readable on a phone, loads have the colour of their
# class, a run of icci-hotspot-migration is drawn, and bad input gives one error line and writes nothing.
#
# Usage: show-topology-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

options=(--racks=8 --servers=4 --uplinks=4 --slot=20 --dark=2)

# holds NODES LINKS CIRCUITS OPTIONS...: numbers in the picture, which is well-formed XML.
holds()
{
    local nodes=$1 links=$2 circuits=$3 svg=first/topology.svg
    shift 3
    run first "$@" || { complain "$*"; cat err; }
    [ "$(grep -c '<g class="node">' $svg)" -eq "$nodes" ] || complain "$*: not $nodes nodes"
    [ "$(grep -c '<g class="link">' $svg)" -eq "$links" ] || complain "$*: not $links lines"
    python3 -c 'import sys, xml.etree.ElementTree as xml; xml.parse(sys.argv[1])' $svg || complain "$*: no XML"
    local sum
    sum=$(grep -o '[0-9]* circuits of switch' $svg | awk '{ n += $1 } END { print n + 0 }')
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
for name in expander rotornet-direct rotornet opera opera-hold sirius hybrid max-weight birkhoff vermilion fat-tree torus; do
    run first --network=$name || { complain "$name"; cat err; }
    [ $name = fat-tree ] || grep -q 'circuits of switch' first/topology.svg || complain "$name without circuits"
done

# A leaf offers 0.4 x 4 x 10 Gb/s to its one uplink of 4 x 10 / 3 Gb/s: 120 %.
run first --network=clos-3:1 --demand=uniform --load=0.4 || complain "a demand"
[ "$(grep -c '120 %</title><line .*stroke="#000000"' first/topology.svg)" -eq 8 ] || complain "links with too much demand"
sha256sum first/* >before
run second --network=clos-3:1 --demand=uniform --load=0.4
same first second

# A run of icci-hotspot-migration: centre 0 has used 90 of its 100 CUs, link 1 a quarter.
mkdir day
printf '%s\n' policy,run,centre,name,area,hour,remaining_cus,hot none,4,0,A,business,9,10,1 >day/hotspots.csv
printf '%s\n' policy,run,link,from,to,hour,use none,4,1,0,2,9,0.25 none,4,1,0,2,8,0.9 >day/links.csv
run third --network=mesh --run=day --hour=9 || { complain "a run"; cat err; }
grep -q '<title>San Francisco, 90 % in use</title>.*fill="#a50026"' third/topology.svg || complain "use of a centre"
grep -q '<title>San Francisco to .*: 40 wavelengths, 25 %</title><line .*stroke="#74add1"' third/topology.svg || complain "use of a link"

# Fifty sites in clusters of five, a tenth of a degree apart: no name covers another name or a site.
python3 - >crowded.json <<'END'
import json
sites = [{"id": str(i), "name": f"City number {i}", "pos": [10 + i % 10 + i // 10 * 0.1, 50 + i % 7 * 0.1]} for i in range(50)]
print(json.dumps({"nodes": [{"id": s["id"], "name": s["name"], "pos": s["pos"]} for s in sites],
                  "edges": [{"source": str(i), "target": str(i + 1), "dist": 10} for i in range(49)]}))
END
run fourth --network=mesh --mesh=crowded.json || { complain "a crowded map"; cat err; }
python3 - fourth/topology.svg <<'END' || complain "names of a map overlap"
import sys
import xml.etree.ElementTree as xml
SVG = "{http://www.w3.org/2000/svg}"
root = xml.parse(sys.argv[1]).getroot()
font = float(root.get("font-size"))
boxes = []
for node in root.iter(SVG + "g"):
    if node.get("class") == "node":
        text, dot = node.find(SVG + "text"), node.find(SVG + "ellipse")
        x, y, width = float(text.get("x")), float(text.get("y")), 0.6 * font * len(text.text)
        x -= {"start": 0, "middle": width / 2, "end": width}[text.get("text-anchor")]
        boxes.append((x, y - 0.8 * font, x + width, y + 0.2 * font))
        cx, cy, r = (float(dot.get(a)) for a in ("cx", "cy", "rx"))
        boxes.append((cx - r, cy - r, cx + r, cy + r))
clash = [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1:]
         if min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])]
sys.exit(len(boxes) != 100 or bool(clash))
END
# Pictures of README and manual are readable where 338 pixels are left for them: text of 9 pixels, and no name covers
# another node.
readable()
{
    run fifth "$@" || { complain "$*"; cat err; }
    python3 - fifth/topology.svg <<'END' || complain "$*: not readable at 338 pixels"
import re
import sys
import xml.etree.ElementTree as xml
SVG = "{http://www.w3.org/2000/svg}"
root = xml.parse(sys.argv[1]).getroot()
font, width = float(root.get("font-size")), float(root.get("width"))
left, top, _, height = map(float, root.get("viewBox").split())
boxes = [tuple(float(box.get(a)) for a in ("x", "y", "width", "height")) for box in root.findall(f".//{SVG}g[@class='node']/{SVG}rect")]
clash = [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1:]
         if min(a[0] + a[2], b[0] + b[2]) > max(a[0], b[0]) and min(a[1] + a[3], b[1] + b[3]) > max(a[1], b[1])]
texts = [(float(t.get("x")), float(t.get("y"))) for t in root.iter(SVG + "text")]
outside = [t for t in texts if not (left <= t[0] <= left + width and top < t[1] <= top + height)]
times = [t.text for t in root.iter(SVG + "text") if re.search(r"\.\d{4,}", t.text)]
sys.exit(338 * font / width < 9 or bool(clash) or bool(outside) or bool(times))
END
}
readable --racks=12 --servers=4 --uplinks=4
readable --network=rotornet --racks=6 --servers=2 --uplinks=2
readable --network=clos-3:1 --racks=6 --servers=6 --demand=hot:4 --load=0.2
readable --network=mesh
readable --network=rddc
readable --network=centre --gpus=16
[ "$(ls first)" = topology.svg ] || complain "other files: $(ls first)"

refusals <<'END'
network expected mesh opera | --network=chess
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
