# Makes a completion for bash of a program's help, after help.awk: options, and the values of those that
# have a list of them. Needs `program`.

function described(text) {}
function used(text) {}
function headed(text) {}
function shown(text) {}

function word(name) { words = words " " name }

# "-h,--help", "--checks TEXT:{on,off}"
function option(names, text,   values, name, n, i) {
  n = split(names, name, /[ ,]/)
  values = ""
  if (match(names, /\{[^}]*\}/)) {
    values = substr(names, RSTART + 1, RLENGTH - 2)
    gsub(/,/, " ", values)
  }
  for (i = 1; i <= n && name[i] ~ /^-/; ++i) {
    if (!known[name[i]]++)
      options = options " " name[i]
    if (values != "" && !(name[i] in values_of)) {
      values_of[name[i]] = values
      order[++num_lists] = name[i]
    }
  }
}

function ended(   i, f) {
  f = "_" program
  gsub(/-/, "_", f)
  print "# Completion of " program " for bash."
  print f "() {"
  print "  local word=${COMP_WORDS[COMP_CWORD]} choices=''"
  print "  case ${COMP_WORDS[COMP_CWORD - 1]} in"
  for (i = 1; i <= num_lists; ++i)
    printf "    %s) choices='%s' ;;\n", order[i], values_of[order[i]]
  printf "    *) [[ $word != -* ]] || choices='%s'", substr(options, 2)
  print (words == "" ? "" : "\n      ((COMP_CWORD > 1)) || choices+='" words "'") " ;;"
  print "  esac"
  print "  mapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$word\")"
  print "}"
  print "complete -o default -F " f " " program
}
