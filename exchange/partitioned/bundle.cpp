#include <seam/exchange/partitioned/bundle.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/marks.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/partitioned/wire.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace seam::detail {
namespace {

partitioned_buffer cut(char const* call, elements const& block, int partitions) {
  bool const is_divided = partitions == 0 ? block.count == 0 : block.count % partitions == 0;
  if (!is_divided)
    refuse(fmt::format("{}: {} elements in {} partitions (expected as many in each)", call,
                       block.count, partitions));
  partitioned_buffer const buffer{block.data, partitions,
                                  partitions == 0 ? 0 : block.count / partitions, block.type};
  check_buffer(call, buffer);
  return buffer;
}

/// The ends of the edges that have blocks; partitions_of(e) returns the partitions of block e.
template <class PartitionsOf>
std::vector<edge_end> ends_of(char const* call, moved_blocks const& blocks,
                              PartitionsOf partitions_of) {
  std::vector<edge_end> ends;
  for (int e = 0; e < std::ssize(blocks); ++e)
    if (auto const& block = blocks[e])
      ends.push_back({e, cut(call, block->values, partitions_of(e)), !block->travels});
  return ends;
}

} // namespace

edge_bundle bundle_of(char const* call, movement const& moved, partition_counts const& sent,
                      partition_counts const& received) {
  auto const partitions_sent = [&](int e) {
    auto const& place = moved.leaving[e]->lies_in;
    return place ? received.of(*place) : sent.of(moved.is_for_all ? 0 : e);
  };
  edge_bundle bundle{.leaving = ends_of(call, moved.leaving, partitions_sent),
                     .arriving =
                         ends_of(call, moved.arriving, [&](int e) { return received.of(e); }),
                     .for_all = moved.is_for_all};
  if (moved.has_block && bundle.leaving.empty())
    bundle.leaving.push_back({part_end::no_edge, {nullptr, sent.of(0), 0, MPI_BYTE}, true});
  return bundle;
}

void stage_in_place(char const* call, collective_edges const& over, movement const& moved,
                    edge_bundle& bundle) {
  if (!is_in_place(moved))
    return;
  auto const destinations = over.topology.destinations(), sources = over.topology.sources();
  if (!std::ranges::equal(destinations, sources, {}, &edge::rank, &edge::rank))
    refuse(fmt::format("{}: MPI_IN_PLACE where a block would go to another process than its "
                       "successor comes from (expected the same destinations as sources, in the "
                       "same order)",
                       call));
  for (int e = 0; e < std::ssize(destinations); ++e) {
    if (destinations[e].rank == over.rank || destinations[e].leads_nowhere())
      continue;
    partitioned_buffer const block = bundle.arriving[e].buffer;
    in_place_staging const staging(block);
    bundle.leaving[e].buffer = staging.leaving;
    bundle.arriving[e].buffer = staging.arriving;
    bundle.in_place.push_back({e, block, staging});
  }
}

int destination_of(collective_edges const& edges, edge_end const& end) {
  return end.leads_nowhere ? MPI_PROC_NULL : edges.topology.destinations()[end.edge].rank;
}

int source_of(collective_edges const& edges, edge_end const& end) {
  return end.leads_nowhere ? MPI_PROC_NULL : edges.topology.sources()[end.edge].rank;
}

own_pairs own_buffers(collective_edges const& edges, edge_bundle const& bundle) {
  own_pairs own;
  for (edge_end const& end : bundle.leaving)
    if (destination_of(edges, end) == edges.rank)
      own.from.push_back(&end.buffer);
  for (edge_end const& end : bundle.arriving)
    if (source_of(edges, end) == edges.rank)
      own.into.push_back(&end.buffer);
  return own;
}

namespace {

class in_place_block final : public part {
public:
  in_place_block(partitioned_buffer const& block, in_place_staging staging,
                 std::unique_ptr<part> out, std::unique_ptr<part> in)
      : staging_(std::move(staging)),
        wire_(block, staging_.out.get()),
        packed_(block.partitions),
        ready_(block.partitions),
        taken_(block.partitions),
        arrived_(block.partitions),
        out_(std::move(out)),
        in_(std::move(in)) {}

  int num_leaving() const override { return ready_.size(); }
  int num_arriving() const override { return arrived_.size(); }

  void start() override {
    for (marks* each : {&packed_, &ready_, &taken_, &arrived_})
      each->clear();
    is_prepared_ = false;
    in_->start();
    out_->start();
  }

  int ready(int first, int last) override {
    if (int const repeated = packed_.set(first, last); repeated >= 0)
      return repeated; // nothing has changed
    wire_.pack(first, last);
    ready_.set(first, last);
    return out_->ready(first, last);
  }

  bool has_arrived(int partition) override {
    if (in_->has_arrived(partition))
      put(partition);
    return arrived_.is_set(partition);
  }

  bool test() override {
    bool const has_left = out_->test();
    if (!in_->test() || !has_left)
      return false;
    for (int p = 0; p < arrived_.size(); ++p)
      put(p);
    return arrived_.are_all_set();
  }

  bool make_progress() override {
    bool const more_leaves = out_->make_progress();
    return in_->make_progress() || more_leaves;
  }

  bool have_met() override {
    bool const knows_receiver = out_->have_met();
    return in_->have_met() && knows_receiver;
  }

  bool prepare() override {
    is_prepared_ = is_prepared_ || in_->prepare();
    return out_->prepare() && is_prepared_;
  }

  std::vector<int> not_ready() const override { return ready_.unset(); }
  std::vector<int> not_arrived() const override { return arrived_.unset(); }

private:
  /// Copies the partition that has arrived to its place, if the old one has been packed.
  void put(int partition) {
    if (!ready_.is_set(partition) || taken_.set(partition, partition + 1) >= 0)
      return;
    std::int64_t const bytes = wire_.partition_bytes();
    wire_.unpack_from(partition, staging_.in.get() + partition * bytes);
    arrived_.set(partition, partition + 1);
  }

  in_place_staging staging_;
  partition_wire wire_;
  marks packed_, ready_, taken_, arrived_;
  std::unique_ptr<part> out_, in_;
  std::atomic<bool> is_prepared_ = false; ///< the sender of the arriving block has been told
};

/// Memory at `at` for the packed partitions of `block`.
partitioned_buffer packed(partitioned_buffer const& block, std::byte* at) {
  std::int64_t const bytes = block.partitions == 0 ? 0 : wire_bytes(block.all()) / block.partitions;
  return {at, block.partitions, bytes, MPI_BYTE};
}

} // namespace

in_place_staging::in_place_staging(partitioned_buffer const& block)
    : out(new std::byte[wire_bytes(block.all())]),
      in(new std::byte[wire_bytes(block.all())]),
      leaving(packed(block, out.get())),
      arriving(packed(block, in.get())) {}

std::unique_ptr<part> make_in_place_block(partitioned_buffer const& block,
                                          in_place_staging const& staging,
                                          std::unique_ptr<part> out, std::unique_ptr<part> in) {
  return std::make_unique<in_place_block>(block, staging, std::move(out), std::move(in));
}

} // namespace seam::detail
