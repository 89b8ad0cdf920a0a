# Refuses compilers older than those that `./bootstrap.sh compilers` tests. Part of the build and of
# the installed package, since seam's headers are compiled by the programs that use them.
set(SEAM_OLDEST_GNU 11)
set(SEAM_OLDEST_Clang 14)
if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS "${SEAM_OLDEST_${CMAKE_CXX_COMPILER_ID}}")
  message(FATAL_ERROR "seam: the compiler is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}; \
expected GNU ${SEAM_OLDEST_GNU}, Clang ${SEAM_OLDEST_Clang} or newer. Set CMAKE_CXX_COMPILER to one.")
endif()
