#include <seam/mesh/input/gmsh/survey.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/numbering/shares.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

namespace seam::detail {
namespace {

/// A survey of one rank's range, and the cursor that it moves.
struct ranged_survey {
  std::unique_ptr<msh_cursor> cursor;
  msh_survey_state begin;
};

/// Passes the state at the end of each rank's survey on to the next rank.
class chain {
public:
  explicit chain(mpi::comm_view over) : over_(over) {}

  msh_survey_state receive(msh_survey_state const& first) const {
    if (over_.rank() == 0)
      return first;
    msh_survey_state state;
    mpi::receive(over_, std::span(reinterpret_cast<std::byte*>(&state), sizeof(state)),
                 over_.rank() - 1, tag);
    return state;
  }
  void send(msh_survey_state const& state) const {
    if (over_.rank() + 1 < over_.size())
      mpi::send(over_, std::span(reinterpret_cast<std::byte const*>(&state), sizeof(state)),
                over_.rank() + 1, tag);
  }

private:
  static constexpr int tag = 0;
  mpi::comm_view over_;
};

/// Surveys a range without keeping pieces. Returns the line of an error, or nothing.
std::optional<std::string> survey_range(msh_text_cursor& cursor, msh_format const& format,
                                        msh_survey_state& state, mpi::comm_view over) {
  try {
    cursor.restart(state.next_line);
    msh_survey survey(format, state, over.size());
    while (!cursor.is_at_end())
      survey.step(cursor, {});
    if (over.rank() + 1 == over.size())
      survey.finish(cursor);
    state = survey.state();
    state.next_line = cursor.end_number();
  } catch (...) {
    state.has_failed = true;
    return line_of_current_exception();
  }
  return std::nullopt;
}

/// Begins the survey of each rank's range of a text in the state in which the range before ends.
ranged_survey begin_text_survey(mpi::comm_view over, file_window& file, msh_format const& format) {
  std::int64_t const body = format.body.offset, bytes = file.size() - body;
  auto cursor = collectively(over, [&] {
    return std::make_unique<msh_text_cursor>(
        file, format.body, body + begin_of_share(over.rank(), bytes, over.size()),
        body + begin_of_share(over.rank() + 1, bytes, over.size()));
  });
  chain const ranks(over);
  msh_survey_state const begin = ranks.receive({.next_line = format.body.line});
  msh_survey_state state = begin;
  std::optional<std::string> trouble;
  if (!begin.has_failed)
    trouble = survey_range(*cursor, format, state, over);
  ranks.send(state);
  agree(over, trouble);
  cursor->restart(begin.next_line);
  return {std::move(cursor), begin};
}

/// Begins the survey of a binary file, which rank 0 does alone.
ranged_survey begin_binary_survey(mpi::comm_view over, file_window& file,
                                  msh_format const& format) {
  std::int64_t const begin = over.rank() == 0 ? format.body.offset : file.size();
  return {std::make_unique<msh_binary_cursor>(file, begin), {}};
}

/// Surveys the range in bounded steps, and sends each piece to the rank that reads it.
msh_survey_result deal_pieces(Communicator const& over, ranged_survey const& range,
                              msh_format const& format) {
  constexpr int most_at_once = 1024;
  mpi::comm_view const all = over.context();
  msh_cursor& cursor = *range.cursor;
  msh_survey survey(format, range.begin, all.size());
  SparseExchange exchange(over);
  msh_survey_result own;
  for (bool goes_on = true; goes_on;) {
    collectively(all, [&] {
      for (int k = 0; k < most_at_once && !cursor.is_at_end(); ++k)
        survey.step(cursor, [&](msh_piece const& piece) {
          exchange.pack(share_with(piece.run.first, piece.run.total, all.size()).number, piece);
        });
      if (format.is_binary && all.rank() == 0 && cursor.is_at_end())
        survey.finish(cursor);
    });
    exchange.exchange();
    while (exchange.receive())
      own.pieces.push_back(exchange.unpack<msh_piece>());
    goes_on = mpi::allreduce(all, cursor.is_at_end() ? 0 : 1, MPI_MAX) != 0;
  }
  msh_place const periodic = survey.state().periodic, names = survey.state().names;
  std::array places{periodic.offset, periodic.line, names.offset, names.line};
  mpi::allreduce(all, std::span<std::int64_t>(places), MPI_MAX);
  own.periodic = {places[0], places[1]};
  own.names = {places[2], places[3]};
  return own;
}

} // namespace

msh_survey_result survey_msh(Communicator const& over, file_window& file,
                             msh_format const& format) {
  mpi::comm_view const all = over.context();
  auto const range = format.is_binary ? begin_binary_survey(all, file, format)
                                      : begin_text_survey(all, file, format);
  auto found = deal_pieces(over, range, format);
  std::ranges::sort(found.pieces, {}, [](msh_piece const& piece) { return piece.at.offset; });
  return found;
}

} // namespace seam::detail
