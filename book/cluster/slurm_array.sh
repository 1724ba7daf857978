#!/usr/bin/env bash
# One task a page, each alone on a node.  In the book's folder:
#
#     pages=$(.venv/bin/python scripts/run.py --plan | wc -l)
#     sbatch --array=0-$((pages - 1)) book/cluster/slurm_array.sh
#
# and when all have ended: .venv/bin/python scripts/merge.py _build/parts/*
#SBATCH --job-name=onthefly
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --mem=0
#SBATCH --time=01:00:00
set -euo pipefail

cd "${SLURM_SUBMIT_DIR:?is set by sbatch}"
exec bash book/cluster/one_page.sh "${SLURM_ARRAY_TASK_ID:?give --array}"
