// The version of seam as numbers and text.
#include <seam/exchange/ground/version.hpp>

#include <support/catch.hpp>

using seam::version_number;

TEST_CASE("versions are compared from the first number on") {
  CHECK(version_number{1, 0, 0} > version_number{0, 9, 9});
  CHECK(version_number{0, 10, 0} > version_number{0, 9, 9});
  CHECK(version_number{0, 1, 2} < version_number{0, 1, 10});
  CHECK(version_number{0, 1, 2} == version_number{0, 1, 2});
  CHECK(seam::version > version_number{});
}

TEST_CASE("the text of a version has its numbers") {
  CHECK(to_string(version_number{1, 20, 3}) == "1.20.3");
  CHECK(to_string(seam::version) == SEAM_VERSION);
}
