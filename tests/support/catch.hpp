/// Catch2, version 2 or 3, for every test: #include <support/catch.hpp>.
#pragma once

#ifdef SEAM_TEST_ON_ENDPOINTS
#include <support/endpoint_cases.hpp>
#else

// Assertions without a try block around each, which take a tenth less time to compile.
#define CATCH_CONFIG_FAST_COMPILE

#include <support/catch2.hpp>

/// REQUIRE for conditions that are tested a million times. Does not print values.
#define REQUIRE_IN_LOOP(...)                                                                       \
  do {                                                                                             \
    if (!(__VA_ARGS__))                                                                            \
      FAIL(#__VA_ARGS__);                                                                          \
  } while (false)

#endif
