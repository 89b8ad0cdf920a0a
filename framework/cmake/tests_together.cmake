# Writes the file TOGETHER, which is all the test SOURCES, each in a namespace that is named after its
# path. What they include comes first: the same #include within the namespace then reads nothing.
set(includes "")
set(sources "")
foreach(source IN LISTS SOURCES)
  file(STRINGS ${source} lines REGEX "^#include <")
  list(APPEND includes ${lines})
  string(REGEX REPLACE "^.*/tests/|_test[.]cpp$" "" name ${source})
  string(MAKE_C_IDENTIFIER ${name} name)
  string(APPEND sources "\nnamespace ${name}_cases {\n#include \"${source}\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
file(WRITE ${TOGETHER} "// Made by tests_together.cmake.\n${includes}\n${sources}")
