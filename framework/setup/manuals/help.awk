# Reads what `seam-<name> --help` prints, by CLI11, and calls functions that another script defines:
#
#   described(text)        a line of what the program does
#   used(text)             how it is called
#   headed(text)           the heading of a group of options
#   option(names, text)    an option with its values, and what it does, in one or more lines
#   shown(text)            a line after the options; those of examples begin with two blanks
#   word(name)             what follows is the help of this word of the program: \f and its name
#   ended()
#
# Two blanks or more, or one before column 31, stand between an option and its text, which begins in
# the next line if the option is too long.

{ line[NR] = $0 }

function trimmed(text) {
  gsub(/^ +| +$/, "", text)
  return text
}

function is_continued(at) { return line[at] ~ /^                              [^ ]/ }

# Reads the option in line `at`; returns the line of its end.
function read_option(at,   names, text) {
  names = substr(line[at], 3)
  text = ""
  if (match(names, /  +/)) {
    text = substr(names, RSTART + RLENGTH)
    names = substr(names, 1, RSTART - 1)
  } else if (substr(names, 28, 1) == " " && !is_continued(at + 1)) {
    text = substr(names, 29)
    names = substr(names, 1, 27)
  }
  while (is_continued(at + 1))
    text = text (text == "" ? "" : "\n") trimmed(line[++at])
  option(names, text)
  return at
}

END {
  place = "head"
  for (at = 1; at <= NR; ++at) {
    if (line[at] ~ /^\f/) {
      word(substr(line[at], 2))
      place = "head"
    } else if (line[at] ~ /^Usage: /) {
      used(substr(line[at], 8))
      place = "options"
    } else if (line[at] ~ /^Examples:$/ || place == "footer") {
      place = "footer"
      shown(line[at])
    } else if (line[at] == "")
      continue
    else if (place == "head")
      described(line[at])
    else if (line[at] ~ /^[^ ].*:$/)
      headed(substr(line[at], 1, length(line[at]) - 1))
    else if (line[at] ~ /^  [^ ]/)
      at = read_option(at)
    else {
      place = "footer"
      shown(line[at])
    }
  }
  ended()
}
