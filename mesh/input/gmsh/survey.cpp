#include <seam/mesh/input/gmsh/survey.hpp>

#include <seam/exchange/numbering/shares.hpp>
#include <seam/mesh/input/gmsh/element_types.hpp>
#include <seam/mesh/input/gmsh/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace seam::detail {
namespace {

using stage = msh_survey_state::stage;
using section_words = msh_section_words;

constexpr section_words words[] = {{}, // by msh_section
                                   {},
                                   {"$Entities", "$EndEntities", "entities"},
                                   {"$Nodes", "$EndNodes", "nodes"},
                                   {"$Elements", "$EndElements", "elements"}};

constexpr section_words parametric_nodes{"$ParametricNodes", "$EndParametricNodes", "nodes"}; // 2.2

constexpr int number_of(msh_section section) { return static_cast<int>(section); }

/// The section that a line begins.
msh_section section_of(std::string_view line, msh_format const& format) {
  if (!format.is_4 && line == parametric_nodes.name)
    return msh_section::nodes;
  auto const* const found = std::ranges::find(words, line, &section_words::name);
  auto const section = static_cast<msh_section>(found - std::begin(words));
  bool const is_known =
      found != std::end(words) && (section != msh_section::entities || format.is_4);
  return is_known ? section : msh_section::unknown;
}

msh_element_type require_type(msh_cursor const& cursor, msh_place const& at, std::int64_t number) {
  auto const type = find_msh_type(number);
  if (!type)
    refuse_msh(cursor.file(), at, refusal_of_msh_type(number));
  return *type;
}

bool is_int32(std::int64_t value) { return value == static_cast<std::int32_t>(value); }

} // namespace

msh_section_words const& msh_survey::words_here() const {
  return state_.has_parameters && state_.in == msh_section::nodes ? parametric_nodes
                                                                  : words[number_of(state_.in)];
}

std::string_view msh_survey::name() const { return words_here().name; }

void msh_survey::step(msh_cursor& cursor, piece_sink const& sink) {
  if (state_.in == msh_section::unknown)
    return pass_unknown(cursor);
  switch (state_.expects) {
  case stage::section: return begin_section(cursor);
  case stage::totals: return take_totals(cursor);
  case stage::block: return take_block(cursor);
  case stage::records: return pass_records(cursor, sink);
  case stage::end: break;
  }
  end_section(cursor);
}

void msh_survey::finish(msh_cursor const& cursor) const {
  if (state_.in == msh_section::unknown)
    cursor.refuse_here("the file ends within a section (expected its $End...)");
  if (state_.in != msh_section::none)
    cursor.refuse_here(fmt::format("the file ends within {} (expected {})", name(),
                                   words_here().end));
  for (msh_section const needed : {msh_section::nodes, msh_section::elements})
    if (!state_.has[number_of(needed)])
      cursor.refuse_here(fmt::format("the file ends (expected a section {})",
                                     words[number_of(needed)].name));
}

void msh_survey::begin_section(msh_cursor& cursor) {
  msh_place const at = cursor.place();
  auto const line = cursor.line();
  if (line.empty())
    return;
  if (line.front() != '$' || line.starts_with("$End"))
    refuse_msh(cursor.file(), at, fmt::format("{} (expected a section, as $Nodes)", shown(line)));
  if (line == "$PartitionedEntities")
    refuse_msh(cursor.file(), at,
               "$PartitionedEntities: the mesh is partitioned (expected one that is whole)");
  if (line == "$Periodic")
    state_.periodic = cursor.place();
  if (line == "$PhysicalNames")
    state_.names = cursor.place();
  state_.has_parameters = !format_.is_4 && line == parametric_nodes.name;
  state_.in = section_of(line, format_);
  if (state_.in == msh_section::unknown)
    return;
  if (std::exchange(state_.has[number_of(state_.in)], true))
    refuse_msh(cursor.file(), at, fmt::format("a second section {} (expected one)", name()));
  state_.expects = stage::totals;
}

void msh_survey::pass_unknown(msh_cursor& cursor) {
  cursor.pass_to_section();
  if (cursor.is_at_end())
    return;
  msh_place const at = cursor.place();
  auto const line = cursor.line();
  if (!line.starts_with("$End"))
    refuse_msh(cursor.file(), at,
               fmt::format("{} within another section (expected its $End...)", shown(line)));
  state_.in = msh_section::none;
}

void msh_survey::take_totals(msh_cursor& cursor) {
  if (state_.in == msh_section::entities)
    return take_entity_counts(cursor);
  state_.done = 0;
  if (!format_.is_4)
    return take_totals_of_2(cursor);
  msh_place const at = cursor.place();
  std::array<std::int64_t, 4> found{}; // blocks, records, in 4.1 the least and the largest number
  if (format_.is_4_0)
    cursor.numbers({8, 8}, found, fmt::format("the 2 numbers at the head of {}", name()));
  else
    cursor.numbers({8, 8, 8, 8}, found, fmt::format("the 4 numbers at the head of {}", name()));
  check_total(cursor, at, found[1], least_bytes_of_4());
  if (found[0] < 0 || found[0] > cursor.file().size())
    refuse_msh(cursor.file(), at, fmt::format("{} blocks (expected at least 0)", found[0]));
  state_.total = found[1];
  state_.num_blocks = found[0];
  state_.expects = stage::block;
}

/// The fewest bytes that a record of this section takes.
std::int64_t msh_survey::least_bytes_of_4() const {
  bool const is_nodes = state_.in == msh_section::nodes;
  if (!format_.is_binary)
    return is_nodes ? 8 : 4;
  return is_nodes ? format_.id_width() + 24 : 2 * format_.id_width();
}

void msh_survey::take_totals_of_2(msh_cursor& cursor) {
  msh_place const at = cursor.place();
  number_reader reader(cursor.line());
  auto const total = reader.next<std::int64_t>();
  if (!total || !reader.is_at_end())
    refuse_msh(cursor.file(), at,
               fmt::format("{} (expected the number of {})", shown(reader.text()),
                           words_here().records));
  bool const is_nodes = state_.in == msh_section::nodes;
  check_total(cursor, at, *total, format_.is_binary && is_nodes ? 28 : 8);
  state_.total = *total;
  if (format_.is_binary && (!is_nodes || state_.has_parameters))
    state_.expects = stage::block;
  else
    begin_run({.kind = is_nodes ? msh_record::node : msh_record::element_2,
               .count = *total,
               .bytes = 28,
               .stride = 28,
               .has_any_parameters = state_.has_parameters});
}

void msh_survey::check_total(msh_cursor const& cursor, msh_place const& at, std::int64_t total,
                             std::int64_t least_bytes) const {
  std::int64_t const left = cursor.file().size() - cursor.place().offset;
  std::int64_t const most = (left + 1) / least_bytes;
  if (total < 0 || total > most)
    refuse_msh(cursor.file(), at,
               fmt::format("{} {} (expected 0 to {}, as {} bytes follow)", total,
                           words_here().records, most, left));
}

void msh_survey::take_entity_counts(msh_cursor& cursor) {
  msh_place const at = cursor.place();
  auto& counts = state_.num_entities;
  cursor.numbers({8, 8, 8, 8}, counts, "the 4 numbers of points, curves, surfaces and volumes");
  state_.total = state_.done = 0;
  for (std::int64_t const count : counts) {
    check_total(cursor, at, count, format_.is_binary ? 36 : 10);
    state_.total += count;
  }
  begin_entities();
}

/// Begins the run of entities of the next dimension that has any.
void msh_survey::begin_entities() {
  state_.expects = stage::end;
  for (int d = 0; d < 4; ++d)
    if (auto const count = std::exchange(state_.num_entities[d], 0); count > 0)
      return begin_run({.kind = msh_record::entity,
                        .dimension = d,
                        .count = count,
                        .bytes = 16 + 8 * format_.num_bounds(d)}); // up to the first physical tag
}

void msh_survey::take_block(msh_cursor& cursor) {
  bool const is_last = format_.is_4 ? state_.num_blocks == 0 : state_.done == state_.total;
  if (!is_last) {
    --state_.num_blocks;
    if (!format_.is_4 && state_.in == msh_section::nodes)
      return begin_run(cursor.parametric_nodes(state_.total - state_.done));
    if (!format_.is_4)
      return take_element_block_of_2(cursor);
    return state_.in == msh_section::nodes ? take_node_block(cursor) : take_element_block(cursor);
  }
  if (state_.done != state_.total)
    cursor.refuse_here(fmt::format("the blocks hold {} {} (expected {}, as at the head of {})",
                                   state_.done, words_here().records, state_.total, name()));
  state_.expects = stage::end;
}

void msh_survey::check_block(msh_cursor const& cursor, msh_place const& at,
                             std::int64_t count) const {
  std::int64_t const most = state_.total - state_.done;
  if (count < 0 || count > most)
    refuse_msh(cursor.file(), at,
               fmt::format("a block of {} {} (expected 0 to {}, as {} has {})", count,
                           words_here().records, most, name(), state_.total));
}

/// The head of a block: dimension, entity, a number and the count of records.
std::array<std::int64_t, 4> msh_survey::take_block_head(msh_cursor& cursor,
                                                        std::string_view expected) const {
  std::array<std::int64_t, 4> found{};
  cursor.numbers({4, 4, 4, 8}, found, expected);
  if (format_.is_4_0)
    std::swap(found[0], found[1]);
  return found;
}

void msh_survey::take_node_block(msh_cursor& cursor) {
  msh_place const at = cursor.place();
  auto const [dimension, entity, is_parametric, count] =
      take_block_head(cursor, "a block's dimension, entity, 0 or 1, and number of nodes");
  if (dimension < 0 || dimension > 3 || !is_int32(entity) || is_parametric < 0 || is_parametric > 1)
    refuse_msh(cursor.file(), at,
               fmt::format("a block of dimension {}, entity {}, parametric {} (expected 0 to 3, a "
                           "tag, 0 or 1)",
                           dimension, entity, is_parametric));
  check_block(cursor, at, count);
  if (format_.is_4_0)
    return begin_nodes_of_4_0(is_parametric == 1 ? static_cast<std::int32_t>(dimension) : 0, count);
  begin_run({.kind = msh_record::node_id,
             .dimension = static_cast<std::int32_t>(is_parametric * dimension),
             .count = count,
             .bytes = 8,
             .stride = 8});
}

/// Begins a run of nodes with their coordinates. Nodes in a volume have no parameters.
void msh_survey::begin_nodes_of_4_0(std::int32_t parametric_dimension, std::int64_t count) {
  std::int32_t const num_parameters = parametric_dimension % 3;
  std::int64_t const bytes = 28 + 8 * num_parameters;
  begin_run({.kind = msh_record::node,
             .dimension = num_parameters,
             .count = count,
             .bytes = bytes,
             .stride = bytes});
}

void msh_survey::take_element_block(msh_cursor& cursor) {
  msh_place const at = cursor.place();
  auto const [dimension, entity, number, count] =
      take_block_head(cursor, "a block's dimension, entity, type and number of elements");
  auto const type = require_type(cursor, at, number);
  if (dimension != dimensions_of(type.kind) || !is_int32(entity))
    refuse_msh(cursor.file(), at,
               fmt::format("elements of type {} on entity {} of dimension {} (expected {})", number,
                           entity, dimension, dimensions_of(type.kind)));
  check_block(cursor, at, count);
  std::int64_t const bytes = std::int64_t{format_.id_width()} * (1 + type.num_nodes);
  begin_run({.kind = msh_record::element_4,
             .dimension = static_cast<std::int32_t>(dimension),
             .entity = static_cast<std::int32_t>(entity),
             .type = static_cast<std::int32_t>(number),
             .count = count,
             .bytes = bytes,
             .stride = bytes});
}

void msh_survey::take_element_block_of_2(msh_cursor& cursor) {
  msh_place const at = cursor.place();
  std::array<std::int64_t, 3> found{};
  cursor.numbers({4, 4, 4}, found, "a block's type, number of elements, and tags of each");
  auto const [number, count, num_tags] = found;
  auto const type = require_type(cursor, at, number);
  constexpr std::int64_t most_tags = 1000;
  if (num_tags < 0 || num_tags > most_tags)
    refuse_msh(cursor.file(), at,
               fmt::format("{} tags of each element (expected 0 to {})", num_tags, most_tags));
  check_block(cursor, at, count);
  std::int64_t const bytes = 4 * (1 + num_tags + type.num_nodes), announced = 12;
  msh_run run{.kind = msh_record::element_2,
              .type = static_cast<std::int32_t>(number),
              .num_tags = static_cast<std::int32_t>(num_tags),
              .count = count,
              .bytes = bytes,
              .stride = bytes};
  if (count == 0)
    cursor.refuse_here("a block of 0 elements (expected at least 1)");
  if (count == 1) { // as Gmsh writes all of them
    run.stride = bytes + announced;
    run.count = cursor.count_alike(run, state_.total - state_.done);
  }
  begin_run(run);
}

void msh_survey::begin_run(msh_run const& run) {
  state_.run = run;
  state_.run.first = state_.done;
  state_.run.total = state_.total;
  state_.expects = stage::records;
}

void msh_survey::pass_records(msh_cursor& cursor, piece_sink const& sink) {
  msh_run& run = state_.run;
  if (run.count == 0)
    return go_on_after_records();
  auto const share = share_with(run.first, run.total, num_shares_);
  msh_piece piece{.run = run, .at = cursor.place()};
  piece.run.count = cursor.pass(run, std::min(run.count, share.end - run.first));
  run.first += piece.run.count;
  run.count -= piece.run.count;
  if (sink)
    sink(piece);
  if (run.count == 0)
    go_on_after_records();
}

void msh_survey::go_on_after_records() {
  msh_run const run = state_.run;
  if (run.kind == msh_record::node_id) {
    std::int64_t const bytes = 8 * (3 + run.dimension);
    return begin_run({.kind = msh_record::node_place,
                      .dimension = run.dimension,
                      .count = run.first - state_.done,
                      .bytes = bytes,
                      .stride = bytes});
  }
  state_.done = run.first;
  state_.expects = stage::block;
  if (run.kind == msh_record::entity)
    begin_entities();
}

void msh_survey::end_section(msh_cursor& cursor) {
  msh_place const at = cursor.place();
  auto const line = cursor.line();
  if (line.empty() && format_.is_binary)
    return;
  if (line != words_here().end)
    refuse_msh(cursor.file(), at,
               fmt::format("{} (expected {} after {} {})", shown(line), words_here().end,
                           state_.total, words_here().records));
  state_.in = msh_section::none;
  state_.expects = stage::section;
}

} // namespace seam::detail
