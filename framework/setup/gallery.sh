# The pictures of docs/gallery.md: `make_gallery` runs the commands that stand there, those of seam on
# two ranks, and puts what they draw into docs/pictures. Called by bootstrap.sh when the programs are
# built.

gallery_commands() { sed -n 's/^    \(seam-.*\|apps\/.*\)/\1/p' "$root/docs/gallery.md"; }

# Draws picture $1 by the command that follows, and tells whether it is the one that is there.
draw() {
  local picture=$1 there=$root/docs/pictures/$1 program=$root/build/$preset/bin/$2
  shift 2
  (cd "$root/build/gallery" && run_quietly "$log_dir/gallery.log" "$(mpiexec_of_build)" -n 2 "$program" "$@" </dev/null)
  [ -s "$root/build/gallery/$picture" ] || fail "gallery: $picture was not drawn"
  cmp -s "$root/build/gallery/$picture" "$there" || say "docs/pictures/$picture is another one now"
  cp "$root/build/gallery/$picture" "$there"
}

make_gallery() {
  local words
  rm -rf "$root/build/gallery" && mkdir -p "$root/build/gallery"
  ln -s "$root/apps" "$root/build/gallery/apps"
  allow_mpi_here
  while read -r -a words; do
    case ${words[0]} in
      apps/*) (cd "$root/build/gallery" && "${words[@]}") ;;
      *) draw "${words[-1]}" "${words[@]}" ;;
    esac
  done < <(gallery_commands)
  say "$(gallery_commands | grep -c ^seam-) pictures are in docs/pictures"
}
