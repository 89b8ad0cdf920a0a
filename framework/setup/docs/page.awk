# A page as Doxygen reads it: headings get the anchors that they have elsewhere, and links to pages
# and anchors become references, so that Doxygen finds those that lead nowhere. After anchor.awk.

# The label of page `file`, or of this one, and of `at`, an anchor on it.
function label(file, at) {
  if (file == "")
    file = FILENAME
  sub(/.*\//, "", file)
  sub(/\.md$/, "", file)
  if (file == "README")
    file = "mainpage"
  return at == "" ? file : file "-" at
}

function refer_to_pages(line,   done, target) {
  while (match(line, /\]\(([A-Za-z0-9_\/.-]+\.md)?(#[A-Za-z0-9_-]+)?\)/)) {
    split(substr(line, RSTART + 2, RLENGTH - 3), target, "#")
    done = done substr(line, 1, RSTART) "(@ref " label(target[1], target[2]) ")"
    line = substr(line, RSTART + RLENGTH)
  }
  return done line
}

# A quote would end a piece of code, unless its ends are doubled.
function double_ends(line,   done, code) {
  while (match(line, /`[^`]*`/)) {
    code = substr(line, RSTART, RLENGTH)
    done = done substr(line, 1, RSTART - 1) (code ~ /'/ ? "`" code "`" : code)
    line = substr(line, RSTART + RLENGTH)
  }
  return done line
}

/^```/ { in_code = !in_code }
in_code || /^```/ || /^    / { print; next }
/^# / { print $0 " {#" label() "}"; next }
/^##/ { heading = $0; sub(/^#+ /, "", heading); print $0 " {#" label("", anchor(heading)) "}"; next }
{ print refer_to_pages(double_ends($0)) }
