#include <mesh/msh_files.hpp>
#include <support/catch.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/input/file_window.hpp>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

std::string random_bytes(std::mt19937& random, std::int64_t length) {
  std::string bytes(length, ' ');
  for (char& byte : bytes)
    byte = std::uniform_int_distribution(0, 400)(random) == 0 ? '\n' : static_cast<char>(random());
  return bytes;
}

} // namespace

TEST_CASE("a window shows the bytes of the file from any place on") {
  for (std::int64_t const size : {0L, 1L, 1000L, 65535L, 65536L, 65537L, 300000L}) {
    CAPTURE(size);
    std::mt19937 random(static_cast<unsigned>(size));
    std::string const bytes = random_bytes(random, size);
    write_bytes("window.bin", bytes);
    file_window file("window.bin");
    CHECK(file.size() == size);
    for (int k = 0; k < 300; ++k) {
      auto const offset = std::uniform_int_distribution<std::int64_t>(0, size + 10)(random);
      auto const wanted =
          std::uniform_int_distribution<std::int64_t>(0, file_window::capacity)(random);
      auto const rest = offset < size ? bytes.substr(offset) : std::string();
      CAPTURE(offset, wanted);
      CHECK((file.at(offset, wanted) == rest.substr(0, wanted)));
      auto const ahead = file.ahead(offset);
      CHECK(ahead.empty() == rest.empty());
      CHECK(rest.starts_with(ahead));
    }
  }
}

TEST_CASE("a line ends behind its newline, or with the file, however long it is") {
  std::mt19937 random(8);
  std::string bytes = random_bytes(random, 100000) + std::string(150000, 'x');
  for (std::string const behind : {"", "\n", "\nlast"}) {
    write_bytes("lines.bin", bytes + behind);
    file_window file("lines.bin");
    for (int k = 0; k < 200; ++k) {
      auto const offset = std::uniform_int_distribution<std::int64_t>(0, file.size())(random);
      auto const newline = (bytes + behind).find('\n', offset);
      CHECK(end_of_line(file, offset) ==
            (newline == bytes.npos ? file.size() : static_cast<std::int64_t>(newline) + 1));
    }
  }
}

TEST_CASE("a file that becomes shorter while it is read is refused") {
  write_bytes("shrinking.bin", std::string(200000, 'x'));
  file_window file("shrinking.bin");
  CHECK(file.at(0, 10) == "xxxxxxxxxx");
  std::filesystem::resize_file("shrinking.bin", 100000);
  CHECK_THROWS_WITH(file.at(150000, 10), Catch::Contains("become shorter"));
}
