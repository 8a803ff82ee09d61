# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Completes programs and their options after ./ns3 run in bash, from the lists of the build folder and
# the --help of a program that is built: source data/ns3-completion.bash

_odcn_complete()
{
    local here word=${COMP_WORDS[COMP_CWORD]} line=${COMP_LINE:0:COMP_POINT} program options
    here=$(dirname "${COMP_WORDS[0]}")
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "run test build configure show docs clean" -- "$word")
    elif [[ ${word##*[\"\' ]} == -* && $line =~ run\ +[\"\']?([^\ \"\']+) ]]; then
        program=$here/build/bin/${BASH_REMATCH[1]#examples/}
        [ -x "$program" ] || return 0
        options=$("$program" --help 2>/dev/null | sed -n 's/^ *\(--[A-Za-z]*\): .*/\1=/p')
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "${word##*[\"\' ]}")
        compopt -o nospace
    elif [ "${COMP_WORDS[1]}" = show ]; then
        mapfile -t COMPREPLY < <(compgen -W "targets profile version" -- "$word")
    elif [ "${COMP_WORDS[1]}" = run ] || [ "${COMP_WORDS[1]}" = build ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(cat "$here/build/programs.txt" 2>/dev/null)" -- "$word")
    fi
}

complete -o bashdefault -o default -F _odcn_complete ./ns3
