# Tables in Markdown from what seam-bench-scale and growth.py have written. -v table=... says which:
#
#   counts, with -v column=messages    CSV files: a column for each number of ranks, by messages
#   times                              CSV files of 1 and 2 ranks: microseconds
#   exponents                          text of growth.py: rows that depend on the variable
#   predictions                        text of --predict: 2^10, 2^12, 2^16 and 2^20 ranks
#   verification                       text of --verify: predicted and measured

function row(line) { print "| " line " |" }

# The name of an operation, which may contain spaces, in the first 24 characters of text.
function operation() {
  name = substr($0, 1, 24); sub(/ +$/, "", name)
  rest = substr($0, 25)
  return name
}

function heading(names, count, i, rule) {
  row(names)
  count = split(names, words, " [|] ")
  rule = "| ---"
  for (i = 2; i <= count; ++i) rule = rule " | ---:"
  print rule " |"
}

function microseconds(seconds) { return seconds < 0 ? "-" : sprintf("%.4g", 1e6 * seconds) }

FNR == 1 { ++file; if (table == "counts" || table == "times") { FS = ","; $0 = $0 } }

(table == "counts" || table == "times") && FNR == 1 {
  for (i = 1; i <= NF; ++i) place[$i] = i
  next
}
table == "counts" && $place["transport"] == "messages" {
  if (file == 1) order[++rows] = $1
  if (FNR == 2) ranks[file] = $place["ranks"]
  value[$1, file] = $place[column]
}
table == "times" && $place["seconds"] >= 0 {
  if (file == 1 && $2 == "messages") order[++rows] = $1
  value[$1, $place["ranks"], $2] = microseconds($place["seconds"])
}

table == "exponents" && /^operation/ { heading("operation | messages | bytes | kept | peak") }
table == "exponents" && / messages  / && !/^operation/ {
  name = operation(); split(rest, at)
  if (at[2] || at[3] || at[4] || at[5]) {
    line = name
    for (i = 2; i <= 5; ++i) line = line " | " at[i]
    gsub(/ -?0[.]00/, " 0", line)
    if (line ~ /[1-9]/ && substr(line, length(name) + 1) ~ /[1-9]/) row(line)
  }
}

table == "predictions" && /^program/ {
  heading("program | ranks | weak, s | efficiency | strong, cells | strong, s | speed-up over 1,024")
}
table == "predictions" && FNR > 2 {
  name = operation(); split(rest, at)
  if (at[1] == 1024 || at[1] == 4096 || at[1] == 65536 || at[1] == 1048576)
    row(sprintf("%s | %d | %s | %s | %d | %s | %s", name, at[1], at[3], at[4], at[5], at[6], at[7]))
}

table == "verification" && /^program/ {
  heading("program | hosts | latency, us | gap, us | bandwidth, MB/s | predicted, ms | measured, ms | ratio")
}
table == "verification" && FNR > 1 && !/^program/ {
  name = operation(); split(rest, at)
  row(sprintf("%s | %d | %.0f | %.0f | %.2f | %.2f | %.2f | %s", name, at[1], 1e6 * at[3], 1e6 * at[4],
              at[5] / 1e6, 1e3 * at[6], 1e3 * at[7], at[8]))
}

END {
  if (table == "counts") {
    line = "operation"
    for (f = 1; f <= file; ++f) line = line " | " ranks[f]
    heading(line)
    for (r = 1; r <= rows; ++r) {
      line = order[r]
      for (f = 1; f <= file; ++f) line = line " | " value[order[r], f]
      row(line)
    }
  }
  if (table == "times") {
    heading("operation | 1 | 2, messages | 2, shared")
    for (r = 1; r <= rows; ++r) {
      name = order[r]
      shared = (name, 2, "shared") in value ? value[name, 2, "shared"] : "-"
      row(name " | " value[name, 1, "messages"] " | " value[name, 2, "messages"] " | " shared)
    }
  }
}
