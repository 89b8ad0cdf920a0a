# Reads Markdown pages, and fails if a picture has no alternative text, or no caption: a paragraph in
# italics after it.

function check_caption(text) {
  if (picture != "" && text !~ /^\*[^*]/)
    complain(picture, "a picture without a caption")
  picture = ""
}

function complain(where, what) {
  print where ": " what
  num_wrong++
}

FNR == 1 { check_caption("") }
/^```/ { in_code = !in_code }
in_code || /^(```|    |$)/ { next }
{ check_caption($0) }
/!\[/ { picture = FILENAME ":" FNR; num_pictures++ }
/!\[\]/ { complain(picture, "a picture without an alternative text") }
END {
  check_caption("")
  print num_pictures + 0 " pictures, wrong: " num_wrong + 0
  exit num_wrong > 0 || num_pictures == 0
}
