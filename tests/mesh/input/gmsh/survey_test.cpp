// Surveys of Gmsh's files: which records lie where, for any number of shares and ranges.
#include <mesh/msh_files.hpp>
#include <support/catch.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/input/gmsh/survey.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;
using Catch::Contains;

namespace {

std::unique_ptr<msh_cursor> cursor_over(file_window& file, msh_format const& format) {
  if (format.is_binary)
    return std::make_unique<msh_binary_cursor>(file, format.body.offset);
  return std::make_unique<msh_text_cursor>(file, format.body, format.body.offset, file.size());
}

/// The pieces of a whole file.
std::vector<msh_piece> survey_whole(std::string const& path, int num_shares) {
  file_window file(path);
  msh_format const format = read_msh_format(file);
  auto const cursor = cursor_over(file, format);
  msh_survey survey(format, {}, num_shares);
  std::vector<msh_piece> pieces;
  while (!cursor->is_at_end())
    survey.step(*cursor, [&](msh_piece const& piece) { pieces.push_back(piece); });
  survey.finish(*cursor);
  return pieces;
}

std::string refusal(std::string const& text) {
  write_bytes("survey.msh", text);
  try {
    survey_whole("survey.msh", 1);
  } catch (usage_error const& problem) {
    return problem.what();
  }
  return "nothing was thrown";
}

/// The number of the share that has an item, by counting.
int share_of(std::int64_t item, std::int64_t total, int num_shares) {
  int share = 0;
  for (std::int64_t begin = 0; begin <= item; ++share)
    begin += total / num_shares + (share < total % num_shares ? 1 : 0);
  return share - 1;
}

/// Where each record of each kind begins. Of a text: its line.
std::map<msh_record, std::map<std::int64_t, std::int64_t>> places_of(
    std::vector<msh_piece> const& pieces) {
  std::map<msh_record, std::map<std::int64_t, std::int64_t>> places;
  for (msh_piece const& piece : pieces)
    for (std::int64_t k = 0; k < piece.run.count; ++k) {
      bool const is_text = piece.at.line > 0;
      auto const place = is_text ? piece.at.line + k : piece.at.offset + k * piece.run.stride;
      CHECK(places[piece.run.kind].try_emplace(piece.run.first + k, place).second);
    }
  return places;
}

} // namespace

TEST_CASE("pieces hold each record once, and each lies in one share") {
  for (msh_kind const kind : all_msh_kinds)
    for (int const n : {1, 2, 4}) {
      sample_mesh const mesh = make_sample(n);
      write_bytes("survey.msh", msh_text(mesh, kind));
      auto const whole = places_of(survey_whole("survey.msh", 1));
      for (int const num_shares : {1, 2, 3, 7, 100}) {
        CAPTURE(kind.name(), n, num_shares);
        auto const pieces = survey_whole("survey.msh", num_shares);
        for (msh_piece const& piece : pieces) {
          bool const is_element =
              piece.run.kind == msh_record::element_2 || piece.run.kind == msh_record::element_4;
          if (piece.run.kind != msh_record::entity)
            CHECK(piece.run.total ==
                  (is_element ? std::ssize(mesh.elements) : std::ssize(mesh.node_ids)));
          CHECK(share_of(piece.run.first, piece.run.total, num_shares) ==
                share_of(piece.run.first + piece.run.count - 1, piece.run.total, num_shares));
        }
        auto const found = places_of(pieces);
        CHECK((found == whole));
        for (auto const& [record, places] : found)
          if (record != msh_record::entity)
            CHECK(std::ssize(places) ==
                  (record == msh_record::element_2 || record == msh_record::element_4
                       ? std::ssize(mesh.elements)
                       : std::ssize(mesh.node_ids)));
      }
    }
}

TEST_CASE("ranges of a text that pass their state on find the records of the whole") {
  for (bool const is_4 : {false, true}) {
    std::string const text = msh_text(make_sample(3), {is_4, false});
    write_bytes("survey.msh", text);
    auto const whole = places_of(survey_whole("survey.msh", 3));
    file_window file("survey.msh");
    msh_format const format = read_msh_format(file);
    for (unsigned seed = 0; seed < 30; ++seed) {
      CAPTURE(is_4, seed);
      std::mt19937 random(seed);
      std::vector<std::int64_t> cuts{format.body.offset, file.size()};
      for (int k = std::uniform_int_distribution(0, 8)(random); k > 0; --k)
        cuts.push_back(std::uniform_int_distribution<std::int64_t>(format.body.offset,
                                                                   file.size())(random));
      std::ranges::sort(cuts);
      msh_survey_state state{.next_line = format.body.line};
      std::vector<msh_piece> pieces;
      for (std::size_t c = 1; c < cuts.size(); ++c) {
        msh_text_cursor cursor(file, format.body, cuts[c - 1], cuts[c]);
        cursor.restart(state.next_line);
        msh_survey survey(format, state, 3);
        while (!cursor.is_at_end())
          survey.step(cursor, [&](msh_piece const& piece) { pieces.push_back(piece); });
        state = survey.state();
        state.next_line = cursor.end_number();
      }
      CHECK((places_of(pieces) == whole));
    }
  }
}

TEST_CASE("sections of a version that does not have them are stepped over") {
  std::string const body = "$Nodes\n0\n$EndNodes\n$Elements\n0\n$EndElements\n";
  std::string const head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
  CHECK(refusal(head + "$Entities\nwhatever 1 2\n$EndEntities\n" + body) == "nothing was thrown");
  CHECK(refusal(head + body + "$NodeData\n\"x\"\n$EndNodeData\n\n\n") == "nothing was thrown");
  CHECK_THAT(refusal(head + body + "$NodeData\n"), Contains("the file ends within a section"));
  CHECK_THAT(refusal(head + body + "$EndNodes\n"),
             Contains("survey.msh:10: '$EndNodes' (expected a section, as $Nodes)"));
  CHECK_THAT(refusal(head + "$Nodes\n0\n$EndNodes\n"), Contains("(expected a section $Elements)"));
  CHECK_THAT(refusal(head + "$Elements\n0\n$EndElements\n"),
             Contains("(expected a section $Nodes)"));
}

TEST_CASE("blocks of 4.1 that do not add up to the totals are refused") {
  auto const text = [](std::string const& nodes) {
    return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n" + nodes +
           "$EndNodes\n$Elements\n0 0 0 0\n$EndElements\n";
  };
  CHECK(refusal(text("1 2 1 2\n0 1 0 2\n1\n2\n0 0 0\n1 0 0\n")) == "nothing was thrown");
  CHECK(refusal(text("3 2 1 2\n0 1 0 0\n0 1 0 2\n1\n2\n0 0 0\n1 0 0\n0 2 0 0\n")) ==
        "nothing was thrown");
  CHECK_THAT(refusal(text("1 3 1 2\n0 1 0 2\n1\n2\n0 0 0\n1 0 0\n")),
             Contains("the blocks hold 2 nodes (expected 3, as at the head of $Nodes)"));
  CHECK_THAT(refusal(text("1 2 1 2\n0 1 0 3\n1\n2\n0 0 0\n1 0 0\n")),
             Contains("survey.msh:6: a block of 3 nodes (expected 0 to 2, as $Nodes has 2)"));
  CHECK_THAT(refusal(text("1 2 1 2\n0 1 2 2\n1\n2\n0 0 0\n1 0 0\n")),
             Contains("survey.msh:6: a block of dimension 0, entity 1, parametric 2"));
  CHECK_THAT(refusal(text("2 2 1 2\n0 1 0 2\n1\n2\n0 0 0\n1 0 0\n")), Contains("survey.msh:11: "));
}
