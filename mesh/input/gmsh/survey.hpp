/// Surveys: the sections and blocks of a Gmsh file, found by the headers between the records.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/gmsh/cursor.hpp>
#include <seam/mesh/input/gmsh/runs.hpp>

#include <functional>
#include <vector>

namespace seam::detail {

enum class msh_section : std::uint8_t { none, unknown, entities, nodes, elements };

/// The lines around a section, and its records in error lines.
struct msh_section_words {
  std::string_view name, end, records;
};

/// The state of a survey between two steps. The rank that surveys one range of a text sends it to
/// the next rank.
struct msh_survey_state {
  enum class stage : std::uint8_t { section, totals, block, records, end };

  msh_section in = msh_section::none;
  stage expects = stage::section;
  std::array<bool, 5> has{};        ///< sections that have begun
  std::int64_t next_line = 0;       ///< number of the next line
  std::int64_t total = 0, done = 0; ///< records of this section
  std::int64_t num_blocks = 0;      ///< still to come
  std::array<std::int64_t, 4> num_entities{};
  msh_run run{};               ///< records still to come, before anything else
  bool has_parameters = false; ///< of nodes in this section of 2.2
  msh_place periodic{};        ///< behind the line $Periodic, if there is one
  msh_place names{};           ///< behind the line $PhysicalNames, if there is one
  bool has_failed = false;     ///< on an earlier rank
};

/// A survey in steps.
class msh_survey {
public:
  using piece_sink = std::function<void(msh_piece const&)>;

  msh_survey(msh_format const& format, msh_survey_state const& begin, int num_shares)
      : format_(format), state_(begin), num_shares_(num_shares) {}

  /// Takes one header, or steps over records of one share, which are given to `sink` as a piece.
  /// @throws usage_error  the file violates its format
  void step(msh_cursor& cursor, piece_sink const& sink);

  /// Checks that the file may end here.
  /// @throws usage_error  a section, or its end, is missing
  void finish(msh_cursor const& cursor) const;

  msh_survey_state const& state() const noexcept { return state_; }

private:
  void begin_section(msh_cursor& cursor);
  void pass_unknown(msh_cursor& cursor);
  void take_totals(msh_cursor& cursor);
  void take_totals_of_2(msh_cursor& cursor);
  std::int64_t least_bytes_of_4() const;
  void take_entity_counts(msh_cursor& cursor);
  void take_block(msh_cursor& cursor);
  std::array<std::int64_t, 4> take_block_head(msh_cursor& cursor, std::string_view expected) const;
  void take_node_block(msh_cursor& cursor);
  void begin_nodes_of_4_0(std::int32_t parametric_dimension, std::int64_t count);
  void take_element_block(msh_cursor& cursor);
  void take_element_block_of_2(msh_cursor& cursor);
  void begin_entities();
  void pass_records(msh_cursor& cursor, piece_sink const& sink);
  void go_on_after_records();
  void end_section(msh_cursor& cursor);

  void begin_run(msh_run const& run);
  void check_total(msh_cursor const& cursor, msh_place const& at, std::int64_t total,
                   std::int64_t least_bytes) const;
  void check_block(msh_cursor const& cursor, msh_place const& at, std::int64_t count) const;
  std::string_view name() const;
  msh_section_words const& words_here() const;

  msh_format format_;
  msh_survey_state state_;
  std::int64_t num_shares_;
};

/// What a survey has found.
struct msh_survey_result {
  std::vector<msh_piece> pieces; ///< that this rank reads, in the order of the file
  msh_place periodic{};          ///< behind the line $Periodic; 0 if there is none; on all ranks
  msh_place names{};             ///< behind the line $PhysicalNames, likewise
};

/// Finds the pieces of the file that this rank reads, in the order of the file: of P ranks each
/// gets one P-th of the entities, one of the nodes and one of the elements, in their order.
///
/// All ranks scan text, each one range of it; in a binary file rank 0 goes from block to block. A
/// rank keeps only its own pieces.
/// @throws usage_error  the file violates its format (the same line on all ranks)
/// Collective: over `over`.
msh_survey_result survey_msh(Communicator const& over, file_window& file, msh_format const& format);

} // namespace seam::detail
