#include <seam/exchange/partitioned/channel.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>
#include <seam/exchange/partitioned/marks.hpp>
#include <seam/exchange/partitioned/wire.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

/// The edge from a process to itself. Its wire is that of the receiving end; no data is moved if
/// both buffers are the same memory.
class own_edge final : public part {
public:
  own_edge(partitioned_buffer const& from, partitioned_buffer const& into)
      : in_place_(from.data == into.data),
        into_(into),
        from_(from, in_place_ ? nullptr : into_.data()),
        packed_(in_place_ ? 0 : from.partitions),
        ready_(from.partitions),
        taken_(into.partitions),
        arrived_(into.partitions) {
    SEAM_ASSERT(from_.bytes() == into_.bytes(), "two ends of one edge");
  }

  int num_leaving() const override { return ready_.size(); }
  int num_arriving() const override { return arrived_.size(); }

  void start() override {
    packed_.clear();
    ready_.clear();
    taken_.clear();
    arrived_.clear();
    if (into_.bytes() == 0)
      arrived_.set(0, arrived_.size());
  }

  int ready(int first, int last) override {
    if (!in_place_) {
      if (int const repeated = packed_.set(first, last); repeated >= 0)
        return repeated; // nothing has changed
      from_.pack(first, last);
    }
    if (int const repeated = ready_.set(first, last); repeated >= 0)
      return repeated;
    std::int64_t const size = from_.partition_bytes();
    auto const [begin, end] = into_.partitions_in(first * size, last * size);
    for (int p = begin; p < end; ++p)
      if (is_complete(p))
        take(p);
    return -1;
  }

  bool has_arrived(int partition) override { return arrived_.is_set(partition); }
  bool test() override { return ready_.are_all_set() && arrived_.are_all_set(); }

  std::vector<int> not_ready() const override { return ready_.unset(); }
  std::vector<int> not_arrived() const override { return arrived_.unset(); }

private:
  bool is_complete(int partition) const {
    std::int64_t const size = into_.partition_bytes();
    auto const [first, last] = from_.partitions_in(partition * size, (partition + 1) * size);
    return ready_.are_all_set(first, last);
  }

  /// Copies a complete partition once. Several threads may find it complete, if each has marked a
  /// piece of it.
  void take(int partition) {
    if (taken_.set(partition, partition + 1) >= 0)
      return;
    if (!in_place_)
      into_.unpack(partition);
    arrived_.set(partition, partition + 1);
  }

  bool in_place_;
  partition_wire into_, from_;
  marks packed_, ready_, taken_, arrived_;
};

} // namespace

void check_messages(char const* call, partitioned_settings const& settings, int partitions) {
  if (!settings.messages)
    return;
  if (*settings.messages < 1)
    refuse(MPI_ERR_ARG, fmt::format("{}: partitions in {} messages (expected 1 or more)", call,
                                    *settings.messages));
  if (std::min(*settings.messages, partitions) > most_messages)
    refuse(MPI_ERR_ARG, fmt::format("{}: {} partitions in {} messages (expected at most {})", call,
                                    partitions, *settings.messages, most_messages));
}

outgoing_load load_of(channel_end const& end) {
  int const partitions = end.buffer.partitions;
  bool const has_memory = end.memory != nullptr;
  return {wire_bytes(end.buffer.all()),
          fmt::format("{} partition{} by {}{}", partitions, partitions == 1 ? "" : "s",
                      has_memory ? "the memory of the node" : "MPI",
                      partitions > most_messages && !has_memory
                          ? fmt::format(" in at most {} messages", most_messages)
                          : "")};
}

std::unique_ptr<part> make_sending_end(Communicator const& over, channel_end const& end,
                                       std::optional<int> messages) {
  return end.memory != nullptr ? make_shared_sending_end(over, end)
                               : make_message_sending_end(over, end, messages);
}

std::unique_ptr<part> make_own_edge(partitioned_buffer const& from,
                                    partitioned_buffer const& into) {
  return std::make_unique<own_edge>(from, into);
}

} // namespace seam::detail
