# The site: `make_docs` makes pages and the reference of all public headers in build/docs, and
# `browse_docs` looks at each of its pages in a headless browser, at a phone's width. Called by
# bootstrap.sh; framework/setup/docs/ holds what they hand to Doxygen and to the browser.

docs_out=$root/build/docs

# Copies what Doxygen is to read to folder $1. The build has listed the stable headers, and beside each the
# files that it brings. They are one file there, by whose name the reference tells where a class is
# declared.
stage_docs() {
  local header path
  mkdir -p "$1/seam/c"
  cp -r "$root"/*.md "$root/docs" "$setup_dir"/docs/* "$1"
  while read -r header path; do
    awk -f "$setup_dir/docs/header.awk" "$root/$path" >>"$1/seam/$header"
  done <"$root/build/$preset/public_headers"
}

make_docs() {
  local stage=$log_dir/docs version
  version=$(sed -n 's/^project(seam VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
  stage_docs "$stage"
  rm -rf "$docs_out"
  printf '%s = %s\n' OUTPUT_DIRECTORY "$docs_out" HTML_OUTPUT . PROJECT_NUMBER "$version" \
    >>"$stage/Doxyfile"
  mkdir -p "$docs_out"
  (cd "$stage" && doxygen Doxyfile) || fail "the pages and headers have the above mistakes"
  grep -q '#include &lt;seam/grid.hpp&gt;' "$docs_out/classseam_1_1Grid.html" ||
    fail "the page of Grid does not say which header programs include for it"
  say "$(find "$stage/seam" -type f | wc -l) headers and $(ls "$stage"/docs/*.md | wc -l)" \
    "pages: ${docs_out#"$root"/}/index.html"
}

# Words to search for, and parts of the addresses that results lead to.
searches='"make_halo": "grid_8hpp", "SparseExchange": "SparseExchange.html", "Windows": "windows.html"'

# Prints what the browser finds on the pages of site $1, in which it searches for $2.
view_site() {
  local viewer=$log_dir/viewer
  mkdir -p "$viewer"
  cp "$setup_dir/docs/viewer.html" "$viewer"
  {
    echo "const site = 'file://$1/', searched = {$2}, files = ["
    (cd "$1" && find . -type f | sed "s|^\./\(.*\)|'\1',|")
    echo ']'
  } >"$viewer/files.js"
  chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files \
    --virtual-time-budget=100000000 --dump-dom "file://$viewer/viewer.html" 2>"$log_dir/chromium.log" |
    sed -n '/<pre id="report">/,/<\/pre>/ { s/.*<pre id="report">//; s/<\/pre>.*//; /./p }'
}

browse_docs() {
  local report=$log_dir/report
  view_site "$root/tests/docs/broken-site" '"halo": "halo"' >"$report"
  cmp "$report" "$root/tests/docs/broken-site/report" ||
    fail "the browser does not find what is wrong with tests/docs/broken-site: $(cat "$report")"
  view_site "$docs_out" "$searches" | tee "$report"
  grep -q '^viewed' "$report" || fail "the browser did not come to its end: $(cat "$log_dir/chromium.log")"
  ! grep -q '^wrong' "$report" || fail "the site has the above mistakes"
}
