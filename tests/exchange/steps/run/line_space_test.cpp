// The smallest space: places on a line, of which each has a neighbor on either side. Steps on it have the
// values of a serial loop, on any ranks, fused or not.
#include <seam/exchange/steps/flow/step_dataflow.hpp>
#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/exchange/steps/program/step_space.hpp>
#include <seam/exchange/steps/run/step_machine.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

box3 between(std::int64_t first, std::int64_t end) { return {{0, 0, first}, {1, 1, end}}; }

/// Tiles of two places.
class line_tiling final : public step_tiling {
public:
  explicit line_tiling(computed_regions const& regions) : regions_(regions) {}

  std::vector<step_tile> of(int instance) override {
    std::vector<step_tile> tiles;
    box3 const all = regions_[instance].box();
    for (std::int64_t at = all.lo[2]; at < all.hi[2]; at += 2) {
      auto const column = static_cast<int>(at / 2);
      num_columns_ = std::max(num_columns_, column + 1);
      tiles.push_back({column, between(at, std::min(at + 2, all.hi[2]))});
    }
    return tiles;
  }
  int num_columns() const override { return num_columns_; }
  column_shares shares() const override {
    column_shares all;
    for (int c = 0; c < num_columns_; ++c)
      all.in_order.push_back(c);
    return all;
  }

private:
  computed_regions const& regions_;
  int num_columns_ = 0;
};

class line_space final : public step_space {
public:
  line_space(Communicator base, std::int64_t num_places)
      : step_space(std::move(base)), num_places_(num_places) {}

  box3 domain() const { return between(0, num_places_); }
  box3 owned_by(int rank) const {
    return between(first_cell_of(num_places_, size(), rank),
                   first_cell_of(num_places_, size(), rank + 1));
  }

  int num_axes() const noexcept override { return 1; }
  step_region owned_values(unsigned /*kind*/) const override { return owned_by(rank()); }
  step_region turn_of(step_kernel const& /*kernel*/, int rank, int /*pass*/) const override {
    return owned_by(rank);
  }
  step_region read_by(step_kernel const& /*kernel*/, step_access const& access,
                      step_region const& places) const override {
    return intersection(access.read_by(places.box()), domain());
  }
  step_partners partners(
      step_dataflow const& /*flow*/,
      std::function<std::vector<asked_part>(int rank)> const& needed_by) const override {
    step_partners made;
    for (int other = 0; other < size(); ++other)
      if (other != rank()) {
        add_parts(made.arriving[other], needed_by(rank()), other);
        add_parts(made.leaving[other], needed_by(other), rank());
      }
    for (auto* const parts : {&made.arriving, &made.leaving})
      std::erase_if(*parts, [](auto const& part) { return part.second.empty(); });
    return made;
  }
  std::unique_ptr<step_tiling> tiling(step_dataflow const& /*flow*/,
                                      computed_regions const& regions,
                                      tile_settings const& /*settings*/) const override {
    return std::make_unique<line_tiling>(regions);
  }

private:
  void add_parts(std::vector<travelling_part>& parts, std::vector<asked_part> const& needed,
                 int owner) const {
    for (asked_part const& part : needed)
      if (box3 const owned = intersection(part.needed.box(), owned_by(owner)); !owned.is_empty())
        parts.push_back({part.number, owned, owned});
  }

  std::int64_t num_places_;
};

/// Integers at all places of the line, of which a rank uses its own and those that kernels read.
class line_field final : public step_field {
public:
  line_field(std::shared_ptr<line_space const> over, std::string its_name)
      : step_field(std::move(its_name), 1, 1, sizeof(std::int64_t)), space_(std::move(over)) {
    require({}, 1);
    is_set = true;
  }
  std::int64_t& at(std::int64_t place) {
    return reinterpret_cast<std::int64_t*>(buffers.front().get())[place];
  }

  step_space const& over() const noexcept override { return *space_; }
  unsigned kind() const noexcept override { return 0; }
  step_region stored() const override { return space_->domain(); }
  void require(step_region const& /*least*/, int num_buffers) override {
    while (std::ssize(buffers) < num_buffers)
      buffers.push_back(new_values());
  }
  std::int64_t num_bytes() const override { return space_->domain().num_cells() * element_bytes; }
  step_needs needed(step_dataflow const& flow, int rank, computed_regions const& regions,
                    std::vector<supply_reader> const& readers, int /*component*/) const override {
    step_region all;
    for (supply_reader const& reader : readers) {
      auto const& kernel = flow.kernel_of(reader.instance);
      all = hull(all,
                 space_->read_by(kernel, kernel.accesses[reader.access], regions[reader.instance]));
    }
    step_region const own = space_->owned_by(rank);
    step_needs made{{}, all, all};
    if (!all.is_empty())
      made.received = rest_of(all, {intersection(all, own)});
    return made;
  }
  std::vector<region> regions_of(int /*component*/, step_region const& part) const override {
    return {{.offset = part.box().lo[2], .extent = {1, 1, part.size()}}};
  }
  bound_access bound(step_kernel const& /*kernel*/, step_access const& /*access*/,
                     std::shared_ptr<std::byte> const& from,
                     std::shared_ptr<std::byte> const& to) const override {
    return {.read = from.get(), .write = to.get()};
  }

private:
  std::shared_ptr<std::byte> new_values() const {
    std::shared_ptr<std::int64_t[]> const memory(new std::int64_t[num_bytes() / element_bytes]());
    return {memory, reinterpret_cast<std::byte*>(memory.get())};
  }

  std::shared_ptr<line_space const> space_;
};

/// The new value of a place, from its old one and those of its neighbors; beyond the ends are zeros.
std::int64_t stirred(std::int64_t before, std::int64_t here, std::int64_t after) {
  return (3 * before + 5 * here - 7 * after) % 1009;
}

class stirring_body final : public step_body {
public:
  explicit stirring_body(std::int64_t num_places) : num_places_(num_places) {}

  void compute(step_kernel const& /*kernel*/, step_call const& call) const override {
    auto const* const from = reinterpret_cast<std::int64_t const*>(call.accesses[0].read);
    auto* const to = reinterpret_cast<std::int64_t*>(call.accesses[0].write);
    box3 const places = call.computed.box();
    for (std::int64_t p = places.lo[2]; p < places.hi[2]; ++p)
      to[p] = stirred(p > 0 ? from[p - 1] : 0, from[p], p + 1 < num_places_ ? from[p + 1] : 0);
  }

private:
  std::int64_t num_places_;
};

} // namespace

TEST_CASE("steps run on any space that answers for its places") {
  std::int64_t const num_places = GENERATE(8, 23);
  int const fused = GENERATE(1, 3);
  auto const space =
      std::make_shared<line_space const>(Communicator::dup(MPI_COMM_WORLD), num_places);
  auto const field = std::make_shared<line_field>(space, "u");
  std::vector<std::int64_t> serial(num_places);
  for (std::int64_t p = 0; p < num_places; ++p)
    serial[p] = 1 + p * p % 17;
  box3 const own = space->owned_by(space->rank());
  for (std::int64_t p = own.lo[2]; p < own.hi[2]; ++p)
    field->at(p) = serial[p];

  step_machine machine(space);
  step_access updated;
  updated.field = machine.number_of(field);
  updated.role = access_role::updates;
  updated.offsets = {{{0, 0, -1}, {0, 0, 0}, {0, 0, 1}}};
  step_kernel kernel;
  kernel.name = "stir";
  kernel.accesses = {updated};
  kernel.space = space;
  kernel.body = std::make_shared<stirring_body>(num_places);
  machine.add(std::move(kernel));
  machine.fuse(fused);

  for (int const steps : {1, 7}) {
    machine.run(steps);
    for (int s = 0; s < steps; ++s) {
      auto const old = serial;
      for (std::int64_t p = 0; p < num_places; ++p)
        serial[p] = stirred(p > 0 ? old[p - 1] : 0, old[p], p + 1 < num_places ? old[p + 1] : 0);
    }
    for (std::int64_t p = own.lo[2]; p < own.hi[2]; ++p)
      CHECK(field->at(p) == serial[p]);
  }
  CHECK(machine.explain().find("kernel 'stir' updates(u") != std::string::npos);
}
