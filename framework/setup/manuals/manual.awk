# Makes a manual page of a program's help, after help.awk. Needs `program` and `version`.

function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  return text ~ /^[.']/ ? "\\&" text : text
}

function begin_page() {
  printf ".TH %s 1 \"\" \"seam %s\" \"seam\"\n.SH NAME\n", toupper(program), version
  has_begun = 1
}

# The first sentence says what the program is; more of them are its description.
function described(text) {
  if (in_word) {
    print escaped(text)
    return
  }
  if (!has_begun) {
    begin_page()
    if (match(text, /\.( |$)/)) {
      more = substr(text, RSTART + 2)
      text = substr(text, 1, RSTART - 1)
    }
    print program " \\- " escaped(tolower(substr(text, 1, 1)) substr(text, 2))
  } else
    more = more (more == "" ? "" : "\n") text
}

function used(text) {
  print (in_word ? ".PP" : ".SH SYNOPSIS")
  print ".B " escaped(text)
  if (more != "")
    print ".SH DESCRIPTION\n" escaped(more)
  more = ""
}

function headed(text) {
  print (in_word ? ".PP\n.B " : ".SH ") escaped(in_word ? text : toupper(text))
}

function option(names, text) {
  printf ".TP\n.B %s\n%s\n", escaped(names), escaped(text)
  after_option = 1
}

function shown(text) {
  if ((text ~ /^  /) + in_example == 1) {
    in_example = !in_example
    print (in_example ? ".PP\n.nf" : ".fi")
  }
  if (after_option && text != "Examples:")
    print ".PP"
  after_option = 0
  if (text == "Examples:")
    print (in_word ? ".PP\n.B Examples" : ".SH EXAMPLES")
  else if (text == "")
    print ".PP"
  else
    print escaped(text)
}

function end_example() {
  if (in_example)
    print ".fi"
  in_example = 0
}

function word(name) {
  end_example()
  print ".SH " escaped(toupper(name))
  in_word = 1
}

function ended() {
  end_example()
  print ".SH SEE ALSO\n.BR mpiexec (1)"
}
