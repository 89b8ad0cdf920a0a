# Programs, pages and examples include stable headers alone. Prints every other include of seam in the
# files below <root>, and fails if there is one. Benchmarks may include what they measure, or what
# their rivals in plain MPI need; programs that users copy may not.
#
#     cmake -D root=<root> -D "stable=<header>;..." -P stable_includes.cmake
cmake_minimum_required(VERSION 3.25)
set(allowed
  "apps/bench-collectives/comparison.cpp: exchange/calls/detail/collective_definition.hpp" # whose calls
  "apps/bench-[^:]*: exchange/mpi/detail/(check|handle).hpp" # rivals check their calls of MPI
  "apps/bench-[^:]*: exchange/ground/digest.hpp" # random numbers
  "apps/bench-(halo|scale)/main.cpp: exchange/agreement/(free_memory|new_comm).hpp" # sizes, hosts
  "apps/bench-scale/grid_operations.cpp: framework/checkpoint/checkpoint_numbers.hpp" # counted files
  "apps/bench-scale/exchange_operations.cpp: exchange/waiting/mpi_bytes.hpp" # counted messages
  "apps/guidelines/[^:]*: exchange/(ground/digest|mpi/library).hpp" # fingerprints; the library under test
  "apps/guidelines/main.cpp: framework/program/last_words.hpp") # its own command line
list(JOIN allowed "|" allowed)

file(GLOB_RECURSE files RELATIVE ${root} ${root}/apps/*.[ch]pp ${root}/docs/*.md ${root}/docs/*.cpp
  ${root}/tests/install/*.cpp ${root}/README.md)
foreach(file IN LISTS files)
  file(STRINGS ${root}/${file} lines REGEX "^ *# *include <seam/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*<seam/([^>]+)>.*" "\\1" header "${line}")
    if(NOT header IN_LIST stable AND NOT "${file}: ${header}" MATCHES "^(${allowed})$")
      message(SEND_ERROR "${file}: <seam/${header}> may move (expected a stable header)")
    endif()
  endforeach()
endforeach()
