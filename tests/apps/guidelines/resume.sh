#!/usr/bin/env bash
# A campaign from its beginning to its page, and once more after interruptions of all kinds.
#
# usage: resume.sh PROGRAM FOLDER
set -euo pipefail
program=$1 folder=$2
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
fail() { echo "resume.sh: $*" >&2 && exit 1; }
/usr/bin/python3 -c 'import jinja2, pandas, scipy' || exit 77

cat >small.txt <<'TEXT'
campaign     small
deployments  1x2 1x3
runs         7
repetitions  3
minutes      2
experiments
  setup       Neighbor_alltoall Ineighbor_alltoall Seam_Alltoall Alltoall
  bytes       64 256
  topology    Full
  constructor Dist_graph_create_adjacent
  ordering    LINEAR RAND
  reorder     0
guideline GL8  setup=Alltoall <= setup=Neighbor_alltoall
guideline SEAM setup=Seam_Alltoall <= setup=Neighbor_alltoall|Ineighbor_alltoall
TEXT
# Slow enough that the limits of the table are not what is tested here.
campaign() { "$program" campaign small.txt --environment oversubscribed --no-plots "$@"; }

# Interrupted: by the limit of a launcher that never ends, and by one that fails.
printf 'launch sh -c "sleep 60" {kernel}\n' >hangs.txt
printf 'launch sh -c "exit 9" {kernel}\n' >fails.txt
"$program" campaign small.txt --environment fails.txt --folder failed >log 2>&1 && fail "no error"
grep -q 'deployment 1x2, run 1 ended with exit code 9' log || fail "no line for a run that fails"
grep -q '^seam-guidelines: 14 runs are not done' log || fail "no line for runs that are not done"

campaign >first.md 2>progress || { cat progress >&2; fail "the campaign has failed"; }
grep -q 'small: runs 14/14' progress || fail "no progress was shown"
grep -q '| GL8: Alltoall <= Neighbor_alltoall |' first.md || fail "no table"
for file in report.html report.md analysis/guidelines.csv analysis/tests.csv analysis/plots.json \
  results/1x3/run-07.csv inputs/1x2/run-01.csv jobs/1x2.sh campaign.txt environment.txt; do
  [ -s "small/$file" ] || fail "no small/$file"
done
tar -tzf small.tar.gz >archived
grep -q small/results/1x2/run-01.csv archived || fail "no raw data in the archive"

# Done: nothing is measured again.
before=$(cat small/results/*/* | cksum)
campaign >second.md 2>progress
[ "$before" = "$(cat small/results/*/* | cksum)" ] || fail "a complete campaign was measured again"
cmp first.md second.md || fail "the tables differ"

# Cut off in the middle of a line: the whole lines stay, the others are measured.
run=small/results/1x2/run-03.csv
head -c $(($(wc -c <$run) / 2)) $run >cut && cp cut $run
kept=$(grep -c ',ok,' cut) || true
"$program" analyze small 2>log >/dev/null && fail "an incomplete run was analyzed"
grep -q '^seam-guidelines: .*run-03.csv:[0-9]*:' log || fail "no line for an incomplete run"
cmp -s cut $run || fail "partial results were not kept"
campaign >third.md 2>progress
head -n $((kept + 8)) cut | cmp -s - <(head -n $((kept + 8)) $run) || fail "results were lost"
grep -q 'runs 1/1' progress || fail "more than one run was made: $(cat progress)"
[ "$(tail -n 1 $run)" = "# end: 16" ] || fail "the run has not come to its end"

# Another campaign does not take the place of this one.
campaign --runs 8 --folder small 2>log && fail "another campaign was accepted"
grep -q "'small': the folder holds another campaign" log || fail "no line for another campaign"

# Drawing says what is missing.
"$program" plot small --python /nowhere/python 2>log && fail "no error without Python"
grep -q "plot: '/nowhere/python': no such program (expected Python 3" log || fail "$(cat log)"
mkdir -p without/pandas && echo 'raise ImportError' >without/pandas/__init__.py
PYTHONPATH=$PWD/without "$program" analyze small 2>log && fail "no error without pandas"
grep -q 'analyze: /usr/bin/python3 has no pandas (on Debian: apt-get install python3-pandas)' log ||
  fail "$(cat log)"
PYTHONPATH=$PWD/without "$program" generate small.txt --folder generated >/dev/null ||
  fail "files of campaigns need no packages"

# Everything is a violation of these thresholds.
if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
  "$program" plot small --p 1 --v 0.0001 >log || fail "plot failed"
  for picture in small/plots/*.svg; do
    /usr/bin/python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$picture" ||
      fail "$picture"
  done
  [ "$(ls small/plots/*overview.svg | wc -l)" = 12 ] || fail "expected 12 overviews"
  [ "$(ls small/plots/*.svg | wc -l)" = 36 ] || fail "expected 12 overviews and 24 boxes"
  grep -q '<img .*data:image/svg+xml;base64,' small/plots/contact.html || fail "no contact sheet"
  ! grep -Eq '(src|href)="(http|/)' small/plots/contact.html || fail "the sheet needs other files"
  "$program" report small >/dev/null
  grep -q 'data:image/svg+xml' small/report.html || fail "no pictures on the page"
fi
