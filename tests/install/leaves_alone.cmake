# seam as a part of another project makes no programs and tests, and leaves the kind of build as it is.
foreach(target IN ITEMS seam-life seam_test_main)
  if(TARGET ${target})
    message(FATAL_ERROR "seam as a part of another project makes ${target}")
  endif()
endforeach()
if(CMAKE_BUILD_TYPE)
  message(FATAL_ERROR "the kind of build is '${CMAKE_BUILD_TYPE}', expected none")
endif()
