#include <seam/exchange/partitioned/in_place_block.hpp>

#include <seam/exchange/partitioned/marks.hpp>
#include <seam/exchange/partitioned/wire.hpp>

#include <atomic>

namespace seam::detail {
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
