#include <seam/exchange/planning/combining.hpp>

#include <seam/exchange/planning/cartesian_vectors.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace seam::detail {

phase_writer::phase_writer(cartesian_structure const& on) : on_(on) {
  plan_.gates = {0};
  plan_.num_rounds = 0;
}

void phase_writer::send(int dimension, int length, std::vector<block> const& blocks) {
  if (blocks.empty())
    return;
  plan_.sends.push_back({.round = round(),
                         .peer = rank_at_distance(dimension, length),
                         .gates = {0, 1},
                         .sources = append_sources(blocks),
                         .wire = wire(blocks)});
}

void phase_writer::receive(int dimension, int length, std::vector<block> const& blocks) {
  if (blocks.empty())
    return;
  plan_.receives.push_back({.round = round(),
                            .peer = rank_at_distance(dimension, -length),
                            .targets = append_targets(blocks),
                            .wire = wire(blocks)});
}

void phase_writer::copy(std::vector<block> from, std::vector<block> into) {
  match(from, into);
  if (plan_.num_rounds == 0)
    begin_phase();
  for (int b = 0; b < std::ssize(from); ++b) {
    std::vector const source{from[b]}, target{into[b]};
    plan_.copies.push_back({.round = round(),
                            .gates = {0, 1},
                            .sources = append_sources(source),
                            .targets = append_targets(target)});
  }
}

block phase_writer::scratch_block(std::int64_t bytes) {
  auto const memory = std::make_shared<std::vector<std::byte>>(bytes);
  plan_.keeps.push_back(memory);
  return {.first = memory->data(), .row_bytes = bytes};
}

schedule phase_writer::finish() {
  plan_.num_rounds = std::max(1, plan_.num_rounds);
  return std::move(plan_);
}

/// The rank of the process `length` further along a dimension, which exists.
int phase_writer::rank_at_distance(int dimension, int length) const {
  return on_.rank_at(*on_.moved(on_.place, along(std::ssize(on_.place), dimension, length)));
}

wire_span phase_writer::wire(std::vector<block> const& blocks) {
  std::int64_t bytes = 0;
  for (block const& memory : blocks)
    bytes += memory.bytes();
  return staged(bytes);
}

void append_blocks(std::vector<block>& all, std::vector<block> const& more) {
  all.insert(all.end(), more.begin(), more.end());
}

} // namespace seam::detail
