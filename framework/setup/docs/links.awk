# Reads Markdown pages, after anchor.awk, and fails if one links to a file or anchor that does not
# exist. Addresses of other machines are not looked at.

function folder_of(file) { return file ~ /\// ? substr(file, 1, match(file, /[^\/]*$/) - 1) : "" }

# a/b/../c is a/c.
function shorten(path) {
  while (sub(/[^\/]+\/\.\.\//, "", path))
    continue
  return path
}

function exists(file,   line, known) {
  known = (getline line <file)
  close(file)
  return known >= 0
}

function note_anchor(heading,   at) {
  sub(/^#+ /, "", heading)
  at = anchor(heading)
  anchors[FILENAME "#" at (times[FILENAME "#" at]++ ? "-" times[FILENAME "#" at] - 1 : "")]
}

function note_links(line,   target) {
  gsub(/`[^`]*`/, "", line)
  while (match(line, /\]\([^)]*\)/)) {
    target = substr(line, RSTART + 2, RLENGTH - 3)
    line = substr(line, RSTART + RLENGTH)
    if (target !~ /^[a-z]+:/)
      links[++num_links] = FILENAME ":" FNR " " target
  }
}

# `from` is page:line.
function follow(from, target,   parts, page, file) {
  page = from
  sub(/:[0-9]*$/, "", page)
  split(target, parts, "#")
  file = parts[1] == "" ? page : shorten(folder_of(page) parts[1])
  if (!exists(file))
    return complain(from, "no file " parts[1])
  if (parts[2] != "" && !(file "#" parts[2] in anchors))
    complain(from, "no heading " target)
}

function complain(from, what) {
  print from ": " what
  num_wrong++
}

/^```/ { in_code = !in_code }
in_code || /^```/ || /^    / { next }
/^#+ / { note_anchor($0) }
{ note_links($0) }
END {
  for (i = 1; i <= num_links; i++)
    follow(substr(links[i], 1, index(links[i], " ") - 1), substr(links[i], index(links[i], " ") + 1))
  print num_links + 0 " links, wrong: " num_wrong + 0
  exit num_wrong > 0 || num_links == 0
}
