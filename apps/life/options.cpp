#include "options.hpp"

#include "plane.hpp"

#include <seam/exchange.hpp>
#include <seam/program.hpp>

#include <charconv>
#include <limits>

namespace life {
namespace {

// The most cells of a board that the file or --size asks for.
constexpr std::int64_t most_cells = std::int64_t{1} << 32;

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 seam-life gosper-gun --generations 300 --size 160x100
  mpiexec -n 4 seam-life r-pentomino --generations 1103 --report-every 100
  seam-life glider --topology torus --size 32x32 --picture glider.png --every 8
  seam-life glider --generations 1000 --output later.rle

Patterns by name: blinker, glider, gosper-gun, r-pentomino; a file of that name comes first.

Without --size a plane has no edges, and costs only memory and time where cells live. Boards with --size
have up to 2^32 cells. Pictures of a plane show all that the pattern can reach, in at most 2048x2048
squares; a square of many cells is shaded by its number of live cells, relative to the fullest.)";

/// Parses a size such as "160x100".
board parse_size(std::string const& text) {
  board read{topology::plane, 0, 0};
  char const* const end = text.data() + text.size();
  auto const [x, bad_width] = std::from_chars(text.data(), end, read.width);
  bool const has_x = bad_width == std::errc() && x != end && *x == 'x';
  auto const [last, bad_height] = std::from_chars(has_x ? x + 1 : end, end, read.height);
  if (!has_x || bad_height != std::errc() || last != end || read.width < 1 || read.height < 1)
    seam::refuse("size '" + text + "' (expected WIDTHxHEIGHT, such as 160x100)");
  return read;
}

/// Refuses what does not fit on a plane without borders.
void check_plane(pattern const& start, rule const& game) {
  if ((game.birth & 1) != 0)
    seam::refuse("rule " + to_string(game) + " fills an unbounded plane (expected --size)");
  check_room(start);
}

bool wants_torus(options const& wanted, pattern const& start) {
  if (!wanted.topology.empty())
    return wanted.topology == "torus";
  return start.board && start.board->topology == topology::torus;
}

std::string in_words(std::int64_t width, std::int64_t height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

void refuse_large(board const& chosen) {
  if (chosen.height > most_cells / chosen.width)
    seam::refuse("a board of " + in_words(chosen.width, chosen.height) +
                 " cells (expected at most 2^32)");
}

} // namespace

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Plays Conway's Game of Life, or another rule of its kind.");
  auto const most = std::numeric_limits<std::int64_t>::max();
  cli.add("pattern", wanted.pattern, "RLE or plain text to start from, or a pattern's name")
      .required()
      .changed_by(seam::input_by_name("life", {".rle", ".cells"}))
      .named("FILE");
  cli.add("--generations", wanted.generations, "how long to play")
      .between(std::int64_t{0}, most, "COUNT");
  cli.add("--size", wanted.size, "width and height of the board, the pattern in its middle")
      .must(seam::is_read_by(parse_size))
      .named("WxH");
  cli.add("--rule", wanted.rule, "births and survivals; default: the pattern's, or B3/S23")
      .must(seam::is_read_by(parse_rule))
      .named("B/S");
  cli.add("--topology", wanted.topology,
          "what is beyond the edges: the opposite edge, or dead cells")
      .one_of({"torus", "plane"});
  cli.add("--output", wanted.output, "write the last generation as RLE")
      .must(seam::name_ends_with({".rle"}))
      .named("FILE.rle");
  cli.add("--picture", wanted.picture, "write a picture of the last generation")
      .must(seam::name_ends_with({".png"}))
      .named("FILE.png");
  cli.add("--every", wanted.every, "generations between numbered pictures")
      .between(std::int64_t{0}, most, "COUNT");
  cli.add("--animation", wanted.animation, "with --every: write an animation of the game")
      .must(seam::name_ends_with({".webp"}))
      .named("FILE.webp");
  cli.add("--report-every", wanted.report_every, "generations between printed populations")
      .between(std::int64_t{0}, most, "COUNT");
  wanted.watched.add_options(cli);
  wanted.restart.add_options(cli);
  cli.end_help(examples);
}

rule choose_rule(options const& wanted, pattern const& start) {
  return wanted.rule.empty() ? start.rule.value_or(rule{}) : parse_rule(wanted.rule);
}

std::optional<board> choose_board(options const& wanted, pattern const& start, rule const& game) {
  bool const torus = wants_torus(wanted, start);
  board chosen{};
  if (!wanted.size.empty()) {
    chosen = parse_size(wanted.size);
  } else if (start.board && start.board->width > 0) {
    chosen = *start.board;
  } else if (torus) {
    seam::refuse("a torus without a size (expected --size, or :T with sizes in the file)");
  } else {
    check_plane(start, game);
    return {};
  }
  chosen.topology = torus ? topology::torus : topology::plane;
  if (start.width > chosen.width || start.height > chosen.height)
    seam::refuse("a pattern of " + in_words(start.width, start.height) + " on a board of " +
                 in_words(chosen.width, chosen.height) + " (expected a larger --size)");
  refuse_large(chosen);
  return chosen;
}

} // namespace life
