#include <seam/framework/checkpoint/array_pieces.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/numbering/shares.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <fmt/format.h>
#include <mpi.h>
#include <zlib.h>

#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>

namespace seam::detail {
namespace {

constexpr std::int64_t pieces_of_slice = 16;

/// Which pieces a rank has in which round.
class piece_shares {
public:
  piece_shares(std::int64_t bytes, int num_ranks)
      : bytes_(bytes), pieces_(num_pieces(bytes)), num_ranks_(num_ranks) {}

  std::int64_t first(int rank) const { return begin_of_share(rank, pieces_, num_ranks_); }

  std::int64_t num_rounds() const {
    return (first(1) - first(0) + pieces_of_slice - 1) / pieces_of_slice;
  }

  byte_window slice(int rank, std::int64_t round) const {
    std::int64_t const end = first(rank + 1);
    std::int64_t const from = std::min(end, first(rank) + round * pieces_of_slice);
    std::int64_t const to = std::min(end, from + pieces_of_slice);
    return {std::min(bytes_, from * piece_bytes), std::min(bytes_, to * piece_bytes)};
  }

private:
  std::int64_t bytes_, pieces_;
  int num_ranks_;
};

std::uint32_t checksum_of(std::span<std::byte const> piece) {
  return static_cast<std::uint32_t>(::crc32_z(
      ::crc32_z(0, nullptr, 0), reinterpret_cast<Bytef const*>(piece.data()), piece.size()));
}

/// Calls visit(piece) for the pieces of a slice, in order.
template <class Visit>
void for_each_piece(std::span<std::byte> slice, Visit const& visit) {
  for (std::int64_t at = 0; at < std::ssize(slice); at += piece_bytes)
    visit(slice.subspan(at, std::min(piece_bytes, std::ssize(slice) - at)));
}

/// A slice of an array in the memory of the rank that writes or verifies it.
class slice_memory {
public:
  explicit slice_memory(std::int64_t bytes)
      : memory_(new std::byte[std::min(bytes, pieces_of_slice * piece_bytes)]) {}

  void begin(byte_window window) { window_ = window; }
  std::span<std::byte> bytes() const { return part(window_.begin, window_.end - window_.begin); }
  std::span<std::byte> part(std::int64_t at, std::int64_t count) const {
    return std::span(memory_.get() + (at - window_.begin), count);
  }

private:
  std::unique_ptr<std::byte[]> memory_;
  byte_window window_{0, 0};
};

/// The first error of this rank; the others go on, so that no rank waits for one that has left.
using first_error = std::optional<seam::error_report>;

void note(first_error& found, std::string line, int error_class) {
  if (!found)
    found.emplace(std::move(line), error_class);
}

/// Sends the runs of other ranks' slices, and fills the own one.
/// Collective.
void collect_slice(SparseExchange& through, stored_array const& array, piece_shares const& shares,
                   std::int64_t round, int own_rank, int num_ranks, slice_memory const& slice) {
  bool const writes = !array.is_replicated || own_rank == 0;
  for (int rank = 0; writes && rank < num_ranks; ++rank)
    if (byte_window const window = shares.slice(rank, round); !window.is_empty())
      array.visit_runs(window, false, [&](stored_run const& run) {
        std::span<std::byte const> const bytes(run.memory, run.bytes);
        if (rank == own_rank)
          return void(std::ranges::copy(bytes, slice.part(run.at, run.bytes).begin()));
        through.pack(rank, run.at, run.bytes);
        through.pack_bytes(rank, bytes);
      });
  through.exchange();
  while (through.receive()) {
    auto const at = through.unpack<std::int64_t>(), bytes = through.unpack<std::int64_t>();
    std::ranges::copy(through.unpack_bytes(bytes), slice.part(at, bytes).begin());
  }
}

/// Fills this rank's runs from the slices of all ranks.
/// Collective.
void spread_slice(SparseExchange& through, stored_array const& array, piece_shares const& shares,
                  std::int64_t round, int own_rank, int num_ranks, slice_memory const& slice) {
  std::vector<stored_run> wanted; // of other ranks, in the order of their answers
  for (int rank = 0; rank < num_ranks; ++rank)
    if (byte_window const window = shares.slice(rank, round); !window.is_empty())
      array.visit_runs(window, true, [&](stored_run const& run) {
        if (rank == own_rank)
          return void(std::ranges::copy(slice.part(run.at, run.bytes), run.memory));
        through.pack(rank, run.at, run.bytes);
        wanted.push_back(run);
      });
  through.exchange();
  while (through.receive()) {
    auto const at = through.unpack<std::int64_t>(), bytes = through.unpack<std::int64_t>();
    through.pack_bytes(through.from(), slice.part(at, bytes));
  }
  through.exchange();
  for (auto run = wanted.begin(); through.receive(); ++run)
    std::ranges::copy(through.unpack_bytes(run->bytes), run->memory);
}

std::string damage(array_place const& from, stored_array const& array, std::string const& why) {
  return fmt::format("checkpoint: '{}' is damaged: {} in '{}'", from.path, why, array.name);
}

/// Reads a slice, and compares its pieces with their checksums.
void verify_slice(stored_array const& array, array_place const& from, byte_window window,
                  slice_memory const& slice, std::span<std::uint32_t const> checksums,
                  first_error& found) {
  int const failure = from.file.read_at(from.offset + window.begin, slice.bytes());
  if (failure != 0)
    return note(found,
                damage(from, array,
                       failure < 0 ? "it ends" : std::generic_category().message(failure)),
                MPI_ERR_IO);
  std::int64_t number = window.begin / piece_bytes;
  for_each_piece(slice.bytes(), [&](std::span<std::byte> piece) {
    if (checksum_of(piece) != checksums[number++])
      note(found, damage(from, array, fmt::format("piece {} has another checksum", number - 1)),
           MPI_ERR_IO);
  });
}

} // namespace

std::vector<std::uint32_t> write_array(Communicator const& over, stored_array const& array,
                                       array_place const& to) {
  piece_shares const shares(array.bytes(), over.size());
  SparseExchange through(over);
  slice_memory slice(array.bytes());
  std::vector<std::uint32_t> checksums;
  first_error found;
  for (std::int64_t round = 0; round < shares.num_rounds(); ++round) {
    byte_window const window = shares.slice(over.rank(), round);
    slice.begin(window);
    collect_slice(through, array, shares, round, over.rank(), over.size(), slice);
    for_each_piece(slice.bytes(),
                   [&](std::span<std::byte> piece) { checksums.push_back(checksum_of(piece)); });
    int const failure = to.file.write_at(to.offset + window.begin, slice.bytes());
    ::sync_file_range(to.file.number(), to.offset + window.begin, window.end - window.begin,
                      SYNC_FILE_RANGE_WRITE); // the disk begins while the next slice is collected
    if (failure != 0)
      note(found,
           fmt::format("checkpoint: cannot write '{}': {}", to.path,
                       failure < 0 ? "the disk refuses" : std::generic_category().message(failure)),
           0);
  }
  agree(over.context(), found);
  return checksums;
}

void read_array(Communicator const& over, stored_array const& array, array_place const& from,
                std::span<std::uint32_t const> checksums) {
  piece_shares const shares(array.bytes(), over.size());
  SparseExchange through(over);
  slice_memory slice(array.bytes());
  first_error found;
  for (std::int64_t round = 0; round < shares.num_rounds(); ++round) {
    byte_window const window = shares.slice(over.rank(), round);
    slice.begin(window);
    verify_slice(array, from, window, slice, checksums, found);
    spread_slice(through, array, shares, round, over.rank(), over.size(), slice);
  }
  agree(over.context(), found);
}

} // namespace seam::detail
