# Replaces the tables of a page: what stands between the lines "<!-- table NAME -->" and
# "<!-- end of table -->" becomes the file FOLDER/NAME.md, with -v folder=FOLDER. A table without such a
# file stays.

/^<!-- table [a-z-]+ -->$/ {
  print
  file = folder "/" $3 ".md"
  if ((getline line <file) > 0) {
    print line
    while ((getline line <file) > 0) print line
    close(file)
    skipping = 1
  }
  next
}
/^<!-- end of table -->$/ { skipping = 0 }
!skipping { print }
