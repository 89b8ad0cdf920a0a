# The oldest compilers that seam is for. `try_compilers` builds, with each of them and without a warning,
# every stable header alone and the program of the README, and runs its tests. Called by bootstrap.sh.

# As framework/cmake/SeamCompilers.cmake has them.
oldest_compilers() { echo g++-11 clang++-14; }

try_compilers() {
  local compiler
  for compiler in $(oldest_compilers); do
    (export CXX=$compiler && provide_kokkos && try_compiler)
  done
}

try_compiler() {
  local build=$root/build/compilers/$CXX log=$log_dir/compilers.log
  say "$CXX: $("$CXX" --version | head -n 1)"
  run_quietly "$log" cmake -S "$root" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$CXX" \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
    -DSEAM_TESTS=ON -DSEAM_VERIFY_INTERNALS=OFF
  run_quietly "$log" cmake --build "$build" -j "$(jobs_that_fit)" \
    --target seam-heat all_verify_interface_header_sets
  run_quietly "$log" ctest --test-dir "$build" -R '^heat[.]' --no-tests=error
  say "$CXX: all stable headers compile alone, and seam-heat passes its tests"
}
