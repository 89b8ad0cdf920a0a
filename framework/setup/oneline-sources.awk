# Turns the binary entries of the distribution's main archive in a one-line sources.list into
# deb-src entries in the deb822 form. Needs `codename`; the suite must match exactly.
$1 == "deb" {
  line = $0; options = ""
  sub(/#.*/, "", line)
  if (match(line, /\[[^]]*\]/)) {
    options = substr(line, RSTART + 1, RLENGTH - 2)
    line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
  }
  n = split(line, word, /[ \t]+/)
  if (word[n] == "") n--
  main = 0
  for (i = 4; i <= n; i++) if (word[i] == "main") main = 1
  if (!main || word[3] != codename || word[2] !~ /debian(\/|\.list|$)/) next
  printf "Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main\n", word[2], codename
  m = split(options, option, /[ \t]+/)
  for (i = 1; i <= m; i++) {
    split(option[i], pair, "=")
    if (tolower(pair[1]) == "signed-by") printf "Signed-By: %s\n", pair[2]
    if (tolower(pair[1]) == "trusted") printf "Trusted: %s\n", pair[2]
    if (tolower(pair[1]) == "check-valid-until") printf "Check-Valid-Until: %s\n", pair[2]
  }
  print ""
}
