#!/usr/bin/env bash
# Run one page of the book, by its number from 0, into a folder of its own.
#
#     book/cluster/one_page.sh NUMBER
#
# PRESET (default: M), DEVICE (auto) and PYTHON (.venv/bin/python) may be set.
# Start it in the book's folder; scripts/merge.py _build/parts/* comes after.
# A number beyond the last page does nothing.
set -euo pipefail

number=${1:?give the number of a page}
if [[ ! $number =~ ^(0|[1-9][0-9]*)$ ]]; then
    echo "$number: no number of a page; give one from 0" >&2
    exit 2
fi
python=${PYTHON:-.venv/bin/python}
options=(--preset "${PRESET:-M}" --device "${DEVICE:-auto}")
export PYTHONPATH=$PWD/notebooks

plan=$("$python" scripts/run.py --plan "${options[@]}")
mapfile -t pages < <(cut -d: -f1 <<<"$plan")
if ((number >= ${#pages[@]})); then
    echo "nothing to do: there are ${#pages[@]} pages, this is number $number"
    exit
fi
page=${pages[number]}

# Machines of one kind have one name; this one has six digits more.
ONTHEFLY_MACHINE=$("$python" -c \
    'from onthefly import machine; print(machine.apart())')
export ONTHEFLY_MACHINE
exec "$python" scripts/run.py "$page" "${options[@]}" \
    --build "_build/parts/$page"
