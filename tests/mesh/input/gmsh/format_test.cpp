// The head of Gmsh's files: each version in text and binary, and heads that are wrong.
#include <mesh/msh_files.hpp>
#include <support/catch.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/input/gmsh/format.hpp>

#include <string>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;
using Catch::Contains;

namespace {

/// A head whose second line is `numbers`, and the integer by which binary files show their order.
std::string head(std::string const& numbers, bool is_binary, std::int32_t order = 1) {
  msh_writer out({false, is_binary});
  out.line("$MeshFormat");
  out.line(numbers);
  if (is_binary) {
    out.bytes(order);
    out.line("");
  }
  out.line("$EndMeshFormat");
  return out.text;
}

msh_format read(std::string const& bytes) {
  write_bytes("head.msh", bytes);
  file_window file("head.msh");
  return read_msh_format(file);
}

std::string refusal(std::string const& bytes) {
  try {
    read(bytes);
  } catch (usage_error const& problem) {
    return problem.what();
  }
  return "nothing was thrown";
}

} // namespace

TEST_CASE("a head tells version and form, and where the sections begin") {
  for (msh_kind const kind : all_msh_kinds)
    for (std::string const behind : {"", "$Nodes\n0\n$EndNodes\n"}) {
      CAPTURE(kind.name(), behind);
      std::string const text =
          head(std::string(kind.is_4 ? "4.1" : "2.2") + (kind.is_binary ? " 1 8" : " 0 8"),
               kind.is_binary);
      msh_format const found = read(text + behind);
      CHECK(found.is_4 == kind.is_4);
      CHECK(found.is_binary == kind.is_binary);
      CHECK(found.body.offset == std::ssize(text));
      CHECK(found.body.line == (kind.is_binary ? 0 : 4));
    }
}

TEST_CASE("numbers of a head may be written in other ways") {
  for (std::string const numbers : {"2.20 0 8", "\t2.2  0\t8 ", "2.2 0 8\r"})
    CHECK_FALSE(read(head(numbers, false)).is_4);
  CHECK(read(head("4.10 0 8", false)).is_4);
  for (std::string const version : {"2", "2.0", "2.1", "2.2"})
    CHECK_FALSE(read(head(version + " 0 8", false)).is_4);
  for (std::string const version : {"4", "4.0", "4.1"}) {
    auto const found = read(head(version + " 0 8", false));
    CHECK(found.is_4);
    CHECK(found.is_4_0 == (version != "4.1"));
  }
}

TEST_CASE("other versions and lengths of numbers are refused with their line") {
  for (std::string const version : {"1", "2.3", "2.21", "3", "4.2", "5", "4.11", "22", "-2.2"})
    CHECK_THAT(refusal(head(version + " 0 8", false)),
               Contains("gmsh: head.msh:2: format " + version) &&
                   Contains("(expected 2 to 2.2, 4 or 4.1)"));
  CHECK_THAT(refusal(head("4.1 0 4", false)), Contains("head.msh:2: numbers of 4 bytes"));
  for (std::string const numbers :
       {"", "4.1", "4.1 0", "4.1 0 8 1", "4.1 2 8", "4.1 -1 8", "4,1 0 8", "4.1 0 8x", "four 0 8"})
    CHECK_THAT(refusal(head(numbers, false)),
               Contains("head.msh:2: ") && Contains("(expected a version, 0 or 1, and 8)"));
}

TEST_CASE("a binary head shows the order of bytes by the number 1") {
  CHECK_THAT(refusal(head("4.1 1 8", true, 0x01000000)),
             Contains("binary numbers in the order of another machine"));
  for (std::int32_t const other : {0, 2, -1, 0x00010000})
    CHECK_THAT(refusal(head("4.1 1 8", true, other)),
               Contains("where the number 1 shows the order of bytes"));
}

TEST_CASE("a head that is cut anywhere is refused") {
  for (bool const is_binary : {false, true}) {
    std::string const whole = head(is_binary ? "4.1 1 8" : "4.1 0 8", is_binary);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      CAPTURE(is_binary, length);
      CHECK_THAT(refusal(whole.substr(0, length)), Contains("gmsh: head.msh:"));
    }
  }
}

TEST_CASE("an error line shows a few characters of what stands there, none that moves the cursor") {
  CHECK(shown("") == "nothing");
  CHECK(shown("$Mesh") == "'$Mesh'");
  CHECK(shown("a\nb\033[2J\xff") == "'a?b?[2J?'");
  CHECK(shown(std::string(1000, 'x')).size() < 60);
  CHECK_THAT(refusal(std::string(100000, 'x')), Contains("head.msh:1: 'xxx"));
}
