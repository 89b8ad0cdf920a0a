#include <seam/exchange/partitioned/in_place_reduction.hpp>

#include <algorithm>
#include <cstring>

namespace seam::detail {
namespace {

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

} // namespace

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

std::unique_ptr<part> make_in_place_reduction(std::shared_ptr<in_place_values> all, int block,
                                              std::unique_ptr<part> reduction) {
  return std::make_unique<in_place_reduction>(std::move(all), block, std::move(reduction));
}

} // namespace seam::detail
