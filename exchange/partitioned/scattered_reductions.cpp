#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/partitioned/detail/part.hpp>
#include <seam/exchange/partitioned/edges.hpp>
#include <seam/exchange/partitioned/marks.hpp>
#include <seam/exchange/partitioned/overlap.hpp>
#include <seam/exchange/partitioned/reduction_pieces.hpp>
#include <seam/exchange/partitioned/reduction_rounds.hpp>
#include <seam/exchange/partitioned/reductions.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace seam {
using namespace detail;

namespace {

/// The blocks of a reduce-scatter that are contiguous, and begin where its result does.
/// take() copies values that are ready to memory of their own, and put() copies a partition of the
/// result to its place once all values that it overwrites have been taken. Threads: any, but for
/// clear().
class in_place_values {
public:
  /// @param shapes   partitions of each block, of one dense type; `data` is not read
  /// @param receive  the result, which begins where the blocks do
  in_place_values(std::vector<partitioned_buffer> const& shapes, partitioned_buffer const& receive);

  /// The blocks and the result, in memory of their own.
  std::vector<partitioned_buffer> const& values() const noexcept { return values_; }
  partitioned_buffer const& result() const noexcept { return result_; }

  void clear() noexcept;

  /// Copies partitions [first, last) of `block`. Returns one that has been taken already, or -1.
  int take(int block, int first, int last);

  /// Copies partition `p` of the result to its place, if that may be overwritten; true once it is
  /// there.
  bool put(int p);

private:
  std::vector<int> first_partitions_; ///< [blocks] numbered through all blocks
  std::vector<std::int64_t> begins_;  ///< [partitions of all + 1] [bytes]
  std::byte* user_;
  std::vector<std::byte> memory_, result_memory_;
  std::vector<partitioned_buffer> values_;
  partitioned_buffer result_;
  std::int64_t result_bytes_; ///< of one partition
  marks claimed_, taken_, put_, arrived_;
};

int num_partitions(std::vector<partitioned_buffer> const& blocks) {
  int count = 0;
  for (partitioned_buffer const& source : blocks)
    count += source.partitions;
  return count;
}

std::int64_t bytes_of(partitioned_buffer const& buffer) {
  return buffer.num_elements() * extent_of(buffer.type);
}

std::int64_t bytes_of(std::vector<partitioned_buffer> const& blocks) {
  std::int64_t bytes = 0;
  for (partitioned_buffer const& source : blocks)
    bytes += bytes_of(source);
  return bytes;
}

class in_place_reduction final : public part {
public:
  in_place_reduction(std::shared_ptr<in_place_values> all, int block,
                     std::unique_ptr<part> reduction)
      : all_(std::move(all)), block_(block), reduction_(std::move(reduction)) {}

  int num_leaving() const override { return reduction_->num_leaving(); }
  int num_arriving() const override { return reduction_->num_arriving(); }

  void start() override {
    all_->clear(); // each block clears all marks, before any partition is ready
    reduction_->start();
  }

  int ready(int first, int last) override {
    int const repeated = all_->take(block_, first, last);
    return repeated >= 0 ? repeated : reduction_->ready(first, last);
  }

  bool has_arrived(int partition) override {
    return reduction_->has_arrived(partition) && (num_arriving() == 0 || all_->put(partition));
  }

  bool test() override {
    if (!reduction_->test())
      return false;
    bool is_there = true;
    for (int p = 0; p < num_arriving(); ++p)
      is_there = all_->put(p) && is_there;
    return is_there;
  }

  bool make_progress() override { return reduction_->make_progress(); }
  bool have_met() override { return reduction_->have_met(); }
  bool prepare() override { return reduction_->prepare(); }
  std::vector<int> not_ready() const override { return reduction_->not_ready(); }
  std::vector<int> not_arrived() const override { return reduction_->not_arrived(); }

private:
  std::shared_ptr<in_place_values> all_;
  int block_;
  std::unique_ptr<part> reduction_;
};

in_place_values::in_place_values(std::vector<partitioned_buffer> const& shapes,
                                 partitioned_buffer const& receive)
    : begins_{0},
      user_(static_cast<std::byte*>(const_cast<void*>(receive.data))),
      memory_(bytes_of(shapes)),
      result_memory_(bytes_of(receive)),
      result_(receive),
      result_bytes_(receive.count * extent_of(receive.type)),
      claimed_(num_partitions(shapes)),
      taken_(num_partitions(shapes)),
      put_(receive.partitions),
      arrived_(receive.partitions) {
  result_.data = result_memory_.data();
  for (partitioned_buffer const& shape : shapes) {
    first_partitions_.push_back(static_cast<int>(begins_.size()) - 1);
    values_.push_back(shape);
    values_.back().data = memory_.data() + begins_.back();
    for (int p = 0; p < shape.partitions; ++p)
      begins_.push_back(begins_.back() + shape.count * extent_of(shape.type));
  }
}

void in_place_values::clear() noexcept {
  for (marks* each : {&claimed_, &taken_, &put_, &arrived_})
    each->clear();
}

int in_place_values::take(int block, int first, int last) {
  int const offset = first_partitions_[block];
  if (int const repeated = claimed_.set(offset + first, offset + last); repeated >= 0)
    return repeated - offset; // nothing has changed
  std::int64_t const begin = begins_[offset + first];
  std::int64_t const end = begins_[offset + last];
  std::memcpy(memory_.data() + begin, user_ + begin, end - begin);
  taken_.set(offset + first, offset + last);
  return -1;
}

bool in_place_values::put(int p) {
  std::int64_t const begin = p * result_bytes_, end = begin + result_bytes_;
  auto const first = std::ranges::upper_bound(begins_, begin) - begins_.begin() - 1;
  auto const last = std::ranges::lower_bound(begins_, end) - begins_.begin();
  if (begin < end && !taken_.are_all_set(static_cast<int>(first), static_cast<int>(last)))
    return false;
  if (put_.set(p, p + 1) < 0) {
    std::memcpy(user_ + begin, result_memory_.data() + begin, end - begin);
    arrived_.set(p, p + 1);
  }
  return arrived_.is_set(p);
}

/// Makes a part of `reduction`, that of `block`, whose values lie in place; its result, if it has
/// one, is that of `all`. Local.
std::unique_ptr<part> make_in_place_reduction(std::shared_ptr<in_place_values> all, int block,
                                              std::unique_ptr<part> reduction) {
  return std::make_unique<in_place_reduction>(std::move(all), block, std::move(reduction));
}

void check_blocks(Communicator const& over, char const* name,
                  std::vector<partitioned_buffer> const& sends, partitioned_buffer const& receive,
                  MPI_Op op) {
  if (std::ssize(sends) != over.size())
    refuse(fmt::format("{}: {} blocks (expected one for each of {} ranks)", name, sends.size(),
                       over.size()));
  for (partitioned_buffer const& block : sends) {
    if (is_in_place(block))
      refuse(fmt::format("{}: MPI_IN_PLACE for some blocks (expected for all or none)", name));
    check_buffer(name, block);
  }
  check_alike(name, {sends[over.rank()], receive}, true, op);
  if (checks_are_on())
    check_apart(name, sends, {&receive, 1});
}

/// The blocks in memory of their own if they lie where the result does, otherwise nullptr.
std::shared_ptr<in_place_values> values_in_place(
    char const* name, std::vector<partitioned_buffer> sends, partitioned_buffer const& receive) {
  if (!std::ranges::all_of(sends, [](auto const& block) { return is_in_place(block); }))
    return nullptr;
  check_buffer(name, receive);
  for (partitioned_buffer& block : sends) {
    block.type = receive.type;
    check_buffer(name, block);
  }
  if (!is_dense(receive.type))
    refuse(fmt::format("{}: MPI_IN_PLACE of a type with gaps (expected one without)", name));
  return std::make_shared<in_place_values>(sends, receive);
}

/// A reduction of each block to the rank that gets it.
std::vector<pipeline_plan> plans_of_roots(Communicator const& over,
                                          std::vector<partitioned_buffer> const& sends,
                                          partitioned_buffer const& receive, MPI_Op op) {
  std::vector<pipeline_plan> plans;
  for (int root = 0; root < over.size(); ++root) {
    reduction_buffers const block{sends[root], receive};
    bool const has_result = root == over.rank();
    plans.push_back(
        plan_pieces(cuts_of(block.send), block.send, [&](std::int64_t first, std::int64_t count) {
          return reduce_rounds(block.terms(over, op, first, count, has_result), root);
        }));
    plans.back().has_result = has_result;
  }
  return plans;
}

/// `count` blocks that lie one behind the other from `first` on.
std::vector<partitioned_buffer> blocks_from(partitioned_buffer const& first, int count) {
  std::vector<partitioned_buffer> blocks;
  for (int k = 0; k < count; ++k)
    blocks.push_back({nth_block(first.all(), k).data, first.partitions, first.count, first.type});
  return blocks;
}

partitioned_operation make_reduce_scatter(Communicator const& over, char const* name,
                                          std::vector<partitioned_buffer> sends,
                                          partitioned_buffer receive, MPI_Op op) {
  std::string blocks = mpi::name_of_op(op);
  for (partitioned_buffer const& send : sends)
    blocks += ", " + words_of(send);
  check_call(over, {.name = name, .terms = blocks, .along_edges = false});
  auto const in_place =
      collectively(over.context(), [&] { return values_in_place(name, sends, receive); });
  if (in_place != nullptr) {
    sends = in_place->values();
    receive = in_place->result();
  }
  collectively(over.context(), [&] { check_blocks(over, name, sends, receive, op); });
  auto plans =
      collectively(over.context(), [&] { return plans_of_roots(over, sends, receive, op); });
  reduction_maker maker(over, name);
  for (int root = 0; root < over.size(); ++root)
    maker.add(std::move(plans[root]), root);
  return maker.finish([&](int root, std::unique_ptr<part> reduction) {
    return in_place == nullptr ? std::move(reduction)
                               : make_in_place_reduction(in_place, root, std::move(reduction));
  });
}

} // namespace

partitioned_operation preduce_scatter_block_init(Communicator const& over,
                                                 partitioned_buffer const& send,
                                                 partitioned_buffer const& receive, MPI_Op op) {
  int const size = over.size();
  auto const blocks = collectively(over.context(), [&] {
    return is_in_place(send) ? std::vector(size, partitioned_buffer{send.data, receive.partitions,
                                                                    receive.count, receive.type})
                             : blocks_from(send, size);
  });
  return make_reduce_scatter(over, "preduce_scatter_block_init", blocks, receive, op);
}

partitioned_operation preduce_scatter_init(Communicator const& over,
                                           std::vector<partitioned_buffer> const& sends,
                                           partitioned_buffer const& receive, MPI_Op op) {
  return make_reduce_scatter(over, "preduce_scatter_init", sends, receive, op);
}

} // namespace seam
