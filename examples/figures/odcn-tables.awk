# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# awk -v name=fig5 -f odcn-tables.awk data/odcn-paper.csv summary.csv replications.csv [curves.csv]: the Markdown tables
# of a figure or table of the ODCN paper, from the files of odcn-drl-scheduling, with the paper's numbers.

BEGIN {
    FS = ","
    split("12.7062 4.30265 3.18245 2.77645", student, " ")
    nBaselines = split("all2all-ccf odcn-ccf odcn-jcb", baseline, " ")
    title = name == "front" ? "front" : (name ~ /^fig/ ? "Fig. " : "Table ") substr(name, length(name))
}
FNR == 1 { ++file }
file == 2 && /^# measured: / { measured = substr($0, 13) }
/^#/ { next }
!(file in header) { header[file] = 1; for (i = 1; i <= NF; ++i) at[file, $i] = i; next }
file == 1 { paper[$1, $2, $3, $4] = $5; next }
file == 2 {
    load = $at[2, "load"]
    policy = $at[2, "policy"]
    if (!(load in isLoad)) { isLoad[load] = 1; loads[++nLoads] = load }
    if ($at[2, "form"] == "bound") {
        bound[load] = $at[2, "blocking"]
        ceiling[load] = 100 * $at[2, "cpu_utilisation"]
        next
    }
    if (!(policy in isPolicy)) { isPolicy[policy] = 1; policies[++nPolicies] = policy }
    isAgent[policy] = $at[2, "form"] ~ /AgentPolicy|LinearPolicy/ && policy != "untrained"
    isFixed[policy] = $at[2, "settings"] ~ /Reconfigurable/
    for (i = 1; i <= NF; ++i) value[load, policy, i] = $i
    next
}
file == 3 {
    key = $at[3, "load"] SUBSEP $at[3, "policy"]
    r = ++runs[key]
    each[key, "blocking", r] = $at[3, "blocking"] * $at[3, "blocking_count"]
    each[key, "reconfigurations_per_job", r] = $at[3, "reconfigurations_per_job"] * $at[3, "reconfigurations_per_job_count"]
    if ((3, "packet_ns") in at) {
        each[key, "packet_ns", r] = $at[3, "packet_ns"]
        each[key, "packet_loss", r] = $at[3, "packet_loss"]
        if ($at[3, "unbalanced"] + 0 > 0) unbalanced += $at[3, "unbalanced"]
    }
}
file == 4 {
    key = $1 " | " $2
    if (!(key in points)) curves[++nCurves] = key
    decisions[key, ++points[key]] = $3
    lost[key, points[key]] = $4
}

function get(l, p, figure) { return value[l, p, at[2, figure]] }
function known(x) { return x != "" && x !~ /nan|inf/ }
function hasPackets(l, p) { return (2, "packet_ns") in at && known(get(l, p, "packet_ns")) }
function fixed(x, digits,    text) {
    text = sprintf("%." digits "f", x)
    return text + 0 == 0 ? sprintf("%." digits "f", 0) : text
}
# Digits after the point that leave x this many significant ones.
function digits(x, significant,    d) {
    d = log(x) / log(10) + 1e-12
    d = significant - 1 - (d < 0 && d != int(d) ? int(d) - 1 : int(d))
    return d < 0 ? 0 : d > 12 ? 12 : d
}
# A mean and the half width of its interval, if there is one, as in the tables of the programs.
function format(mean, half, lower) {
    if (half == "" || half <= 1e-9 * (mean < 0 ? -mean : mean)) return fixed(mean, mean == 0 ? 0 : digits(mean < 0 ? -mean : mean, 4))
    if (mean == 0 && lower == 0) return "< " fixed(half, digits(half, 2))
    return fixed(mean, digits(half, 2)) " +- " fixed(half, digits(half, 2))
}
function show(l, p, figure, scale, less,    mean, lower, upper, half) {
    mean = get(l, p, figure)
    lower = get(l, p, figure "_lower")
    upper = get(l, p, figure "_upper")
    if (!known(mean)) return "-"
    if (known(lower) && known(upper)) half = scale * (upper - mean > mean - lower ? upper - mean : mean - lower)
    return format(scale * (mean - less), half, lower)
}
# Student's t of 95 % for n values, by Cornish and Fisher from six on.
function t(n,    v) {
    v = n - 1
    return v in student ? student[v] : 1.959964 + 2.372271 / v + 2.822497 / v ^ 2 + 2.555850 / v ^ 3 + 1.589533 / v ^ 4
}
# mean and half width of the ratio of sums of y and x, n values of each.
function ratio(n,    i, sumX, sumY, rest, squares) {
    for (i = 1; i <= n; ++i) { sumX += x[i]; sumY += y[i] }
    if (!(sumX > 0)) { mean = "nan"; return }
    mean = sumY / sumX
    half = ""
    for (i = 1; i <= n; ++i) { rest += (y[i] - mean * x[i]) / n }
    for (i = 1; i <= n; ++i) squares += (y[i] - mean * x[i] - rest) ^ 2
    if (n > 1) half = sqrt(squares / (n - 1) * n) / sumX * t(n)
}
# A baseline's total of a figure over that of an agent; the interval is symmetric in the logarithm.
function times(l, q, p, figure,    i, n) {
    if (figure ~ /^packet/ && !hasPackets(l, p)) return "-"
    if (figure ~ /^reconf/) {
        if (isFixed[q]) return "-"
        if (get(l, p, figure) == 0) return "> " fixed(get(l, q, figure) / get(l, p, figure "_upper"), 0)
    }
    for (i = 1; i <= runs[l, q]; ++i) {
        if (!known(each[l, q, figure, i]) || !known(each[l, p, figure, i])) continue
        y[++n] = each[l, q, figure, i]
        x[n] = each[l, p, figure, i]
    }
    ratio(n)
    if (mean == "nan") return "-"
    return format(mean, mean > 0 && half != "" ? mean * (exp(half / mean) - 1) : "", -1)
}
function printRows(    i, j, l, p, on) {
    print "| load | policy | blocking % | above the least | reconfigurations a job | latency ns, packets | closed form | gap % | loss %, packets | closed form |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= nLoads; ++i) {
        l = loads[i]
        for (j = 1; j <= nPolicies; ++j) {
            p = policies[j]
            on = hasPackets(l, p)
            print "| " l " | " p " | " show(l, p, "blocking", 100) " | " fixed(100 * (get(l, p, "blocking") - bound[l]), 2) \
                " | " (isFixed[p] ? "fixed" : show(l, p, "reconfigurations_per_job", 1)) " | " (on ? show(l, p, "packet_ns", 1) : "-") \
                " | " (on ? fixed(get(l, p, "closed_form_ns"), 1) : show(l, p, "estimated_latency_ns", 1)) \
                " | " (on ? show(l, p, "over_closed_form", 100, 1) : "-") " | " (on ? show(l, p, "packet_loss", 100) : "-") \
                " | " (on ? fixed(100 * get(l, p, "closed_form_loss"), 4) : show(l, p, "estimated_loss", 100)) " |"
        }
        print "| " l " | *best possible* | " fixed(100 * bound[l], 3) " | | | | | | | |"
    }
    if (hasPackets(loads[1], policies[1]))
        print "\nsent = received + dropped by cause + in flight in " (unbalanced ? "all windows but " unbalanced : "every window") "."
}
function printPaper(text, quantity, l, place,    j, said, any, line) {
    for (j = 1; j <= nBaselines + 1; ++j) {
        said = paper[place, l, j > nBaselines ? "best" : baseline[j], quantity]
        any = any said
        line = line " |" (said == "" ? "" : " *" said "*")
    }
    if (any != "") print "| *paper: " text "* | " l line " |"
}
function printRatios(p,    k, i, j, l, q, line, best, least, rank, sum) {
    print "\n| a baseline's over that of " p " | load | all2all-ccf | odcn-ccf | odcn-jcb | best of them |"
    print "| --- | --- | --- | --- | --- | --- |"
    for (k = 1; k <= 4; ++k) {
        split("blocking,packet_ns,packet_loss,reconfigurations_per_job", figures, ",")
        split("blocking;latency, packets;loss, packets;reconfigurations", texts, ";")
        split("blocking_ratio,latency_ratio,loss_ratio,reconfiguration_ratio", quantities, ",")
        for (i = 1; i <= nLoads; ++i) {
            l = loads[i]
            line = "| " texts[k] " | " l
            best = ""
            least = 1e300
            for (j = 1; j <= nBaselines; ++j) {
                q = baseline[j]
                text = q in isPolicy ? times(l, q, p, figures[k]) : "-"
                line = line " | " text
                if (k == 1) sum[j] += mean
                rank = q in isPolicy && k < 4 && (k == 1 || hasPackets(l, q)) ? get(l, q, figures[k]) : least
                if (rank < least) { least = rank; best = text }
            }
            print line " |" (best == "" ? "" : " " best) " |"
        }
        if (nLoads > 1) {
            printPaper(texts[k], quantities[k], 66, "Fig. 4")
            printPaper(texts[k], quantities[k], "all", title)
        } else {
            printPaper(texts[k], quantities[k], loads[1], title)
        }
    }
    if (nLoads < 2) return
    for (j = 1; j <= nBaselines; ++j) line = (j == 1 ? "" : line ", ") fixed(sum[j] / nLoads, 2) " (" baseline[j] ")"
    print "\nBlocking ratios of " p " averaged over the loads: " line "."
}
function said(l, p, kind,    text) {
    text = paper[title, l, p, kind]
    return text == "" ? "" : " *" text "*" (kind == "cpu" && text > ceiling[l] ? " (above)" : "")
}
function printUse(    i, j, l, p) {
    print "| load | policy | CPU % | *paper* | RAM % | *paper* | disk % | *paper* |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= nLoads; ++i) {
        l = loads[i]
        for (j = 1; j <= nPolicies; ++j) {
            p = policies[j]
            print "| " l " | " p " | " show(l, p, "cpu_utilisation", 100) " |" said(l, p, "cpu") " | " show(l, p, "ram_utilisation", 100) \
                " |" said(l, p, "ram") " | " show(l, p, "disk_utilisation", 100) " |" said(l, p, "disk") " |"
        }
        print "| " l " | *the paper's agent* | |" said(l, "agent", "cpu") " | |" said(l, "agent", "ram") " | |" said(l, "agent", "disk") " |"
        print "| " l " | *ceiling* | " fixed(ceiling[l], 2) " | | | | | |"
    }
}
function latency(l, p) { return get(l, p, hasPackets(l, p) ? "packet_ns" : "estimated_latency_ns") }
function printFront(    i, j, k, l, p, q, n, ahead) {
    l = loads[1]
    for (j = 1; j <= nPolicies; ++j) {
        for (k = 1; k <= nPolicies; ++k) {
            p = policies[j]
            q = policies[k]
            if (!isAgent[p] || isAgent[q] || get(l, q, "blocking") >= get(l, p, "blocking") || latency(l, q) >= latency(l, p)) continue
            n = runs[l, p]
            for (i = 1; i <= n; ++i) {
                y[i] = each[l, p, "blocking", i] / jobs(l, p) - each[l, q, "blocking", i] / jobs(l, q)
                x[i] = 1
            }
            ratio(n)
            ahead = ahead "\n- " q " is ahead of " p " by " format(100 * mean, half == "" ? half : 100 * half, -1) " points and " fixed(latency(l, p) - latency(l, q), 1) " ns"
        }
    }
    print "\nRules that block less than an agent and have less latency, in the mean:" (ahead == "" ? " none." : "\n" ahead)
}
# Measured jobs of a replication.
function jobs(l, p) { return get(l, p, "offered") / runs[l, p] }
function printCosts(    j, k, n, part, key, blocking, moved) {
    print "| recipe | Phi_reconf | trainings | blocking % | each | reconfigurations a job | each |"
    print "| --- | --- | --- | --- | --- | --- | --- |"
    for (j = 1; j <= nPolicies; ++j) {
        split(policies[j], part, "/")
        key = part[1] " | " part[2]
        if (key in number) { ++number[key] } else { number[key] = 1; keys[++n] = key }
        blocking[key, number[key]] = get(loads[1], policies[j], "blocking")
        moved[key, number[key]] = get(loads[1], policies[j], "reconfigurations_per_job")
    }
    for (k = 1; k <= n; ++k) {
        key = keys[k]
        print "| " key " | " number[key] meanOf(blocking, key, 100, 2) meanOf(moved, key, 1, 5) " |"
    }
}
function meanOf(values, key, scale, after,    i, list) {
    for (i = 1; i <= number[key]; ++i) {
        y[i] = values[key, i]
        x[i] = 1
        list = list (i == 1 ? "" : ", ") fixed(scale * y[i], after)
    }
    ratio(number[key])
    return " | " format(scale * mean, half == "" ? half : scale * half, -1) " | " list
}
function printCurves(    j, k, i, key, best, rule, least, below) {
    for (j = 1; j <= nBaselines; ++j)
        if (baseline[j] in isPolicy && (best == "" || get(loads[1], baseline[j], "blocking") < rule)) {
            best = baseline[j]
            rule = get(loads[1], best, "blocking")
        }
    print "| recipe | training | jobs | first lost % | least lost % | last lost % | jobs until it loses less than " best " blocks |"
    print "| --- | --- | --- | --- | --- | --- | --- |"
    for (k = 1; k <= nCurves; ++k) {
        key = curves[k]
        least = lost[key, 1]
        below = "never"
        for (i = points[key]; i > 0; --i) {
            if (lost[key, i] + 0 < least + 0) least = lost[key, i]
            if (lost[key, i] + 0 < rule + 0) below = toJobs(decisions[key, i])
        }
        print "| " key " | " toJobs(decisions[key, points[key]]) " | " fixed(100 * lost[key, 1], 2) " | " fixed(100 * least, 2) \
            " | " fixed(100 * lost[key, points[key]], 2) " | " below " |"
    }
}
# A decision is one VM; a job has 15.5 on average.
function toJobs(n) { return fixed(n / 15.5, 0) }

END {
    print measured
    if ((2, "packet_ns") in at)
        print "Packets: windows of the replications, by the engine without events, one way from socket to socket between racks; closed form: M/D/1/16 at the same windows and the two servers' links."
    print ""
    if (name == "fig3") printCosts()
    else if (name == "fig4") printCurves()
    else if (name ~ /^table/) printUse()
    else {
        printRows()
        if (name == "front") printFront()
        for (j = 1; j <= nPolicies && name != "front"; ++j) if (isAgent[policies[j]]) printRatios(policies[j])
    }
}
