# Turns the binary entries of the distribution's main archive in a deb822 file into deb-src entries.
# Needs `codename`. One stanza is one record; only exact matches of the suite count, which leaves
# out updates, security and backports.
BEGIN { RS = ""; FS = "\n" }

function words(value, name,   parts, n, i) {
  n = split(value, parts, /[ \t]+/)
  for (i = 1; i <= n; i++) if (parts[i] == name) return 1
  return 0
}

{
  split("", field); kept = ""; copying = 0
  for (i = 1; i <= NF; i++) {
    if ($i ~ /^#/) continue
    if ($i ~ /^[ \t]/) { if (copying) kept = kept $i "\n"; continue }
    key = tolower($i); sub(/[ \t]*:.*/, "", key)
    value = $i; sub(/^[^:]*:[ \t]*/, "", value)
    field[key] = value
    copying = key !~ /^(types|suites|components|architectures|enabled)$/
    if (copying) kept = kept $i "\n"
  }
  if (words(field["types"], "deb") && words(field["suites"], codename) && \
      words(field["components"], "main") && field["enabled"] != "no" && \
      field["uris"] ~ /debian(\/|\.list|[ \t]|$)/)
    printf "Types: deb-src\nSuites: %s\nComponents: main\n%s\n", codename, kept
}
