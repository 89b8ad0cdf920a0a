# The site: `make_docs` makes pages and the reference of all public headers in build/docs, and
# `browse_docs` looks at each of its pages in a headless browser, at a phone's width. Called by
# bootstrap.sh; framework/setup/docs/ holds what they hand to Sphinx, Doxygen and the browser.

docs_out=$root/build/docs

make_docs() {
  "$setup_dir/docs/make.sh" "$root" "$root/build/$preset/public_headers" "$log_dir/docs" "$docs_out" ||
    fail "the pages and headers have the above mistakes"
  say "pages: ${docs_out#"$root"/}/index.html"
}

# Words to search for, and parts of the addresses that results lead to.
searches='"make_halo": "names.html#make_halo", "tridiagonal": "steps.html", "windows": "windows.html"'

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
