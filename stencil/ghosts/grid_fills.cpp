// What a rank sets itself of a field on a grid: copies along periodic axes, and ghosts beyond borders.
#include <seam/stencil/ghosts/grid_needs.hpp>
#include <seam/stencil/space/domain_images.hpp>
#include <seam/stencil/space/grid_kernels.hpp>
#include <seam/stencil/space/step_tiles.hpp>
#include <seam/stencil/space/tiles.hpp>

#include <algorithm>
#include <cstring>

namespace seam::detail {
namespace {

/// Copies a few bytes as fast as their number, which many rows have, allows.
template <int Bytes>
void copy_known(std::byte* to, std::byte const* from) {
  std::memcpy(to, from, Bytes);
}
void copy_some(std::byte* to, std::byte const* from, std::size_t bytes) {
  switch (bytes) {
  case 1: return copy_known<1>(to, from);
  case 2: return copy_known<2>(to, from);
  case 4: return copy_known<4>(to, from);
  case 8: return copy_known<8>(to, from);
  case 16: return copy_known<16>(to, from);
  default: std::memcpy(to, from, bytes);
  }
}

class ghost_copy final : public ghost_work {
public:
  /// @param to    in indices relative to the block
  /// @param back  offset from a ghost to its source
  ghost_copy(component_memory memory, std::int64_t element_bytes, box3 const& to,
             index3 const& back)
      : memory_(memory), element_bytes_(element_bytes), to_(to), back_(back) {}

  void run(double /*time*/) const override {
    index3 stride{};
    std::int64_t step = element_bytes_, back = 0;
    for (int a = 2; a >= 0; --a) {
      stride[a] = step;
      back += back_[a] * step;
      step *= memory_.local.extent(a);
    }
    for_each_row(to_, [&](index3 const& first, std::int64_t end) {
      std::int64_t offset = 0;
      for (int a = 0; a < 3; ++a)
        offset += first[a] * stride[a];
      std::byte* const to = memory_.origin + offset;
      copy_some(to, to + back, (end - first[2]) * element_bytes_);
    });
  }

private:
  component_memory memory_;
  std::int64_t element_bytes_;
  box3 to_;
  index3 back_;
};

/// What a fill works on.
struct filled_memory {
  component_memory memory, other; ///< other: of the field that the condition reads
  box3 part;
  int component;
  bool is_kept; ///< no other field fills these ghosts while a graph runs again and again
};

class border_work final : public ghost_work {
public:
  /// @param field  whose conditions these are
  border_work(border_fill const& fill, field_state const& field, filled_memory const& filled)
      : fill_(&fill), field_(&field), filled_(filled) {}

  void run(double time) const override {
    (*fill_)(filled_.memory, filled_.part, {time, filled_.other}, by_threads::caller);
  }
  bool is_fixed() const override {
    return filled_.is_kept && field_->has_fixed_borders(filled_.component);
  }

private:
  border_fill const* fill_;
  field_state const* field_;
  filled_memory filled_;
};

/// True if other conditions than a field's own fill its ghosts in a program: those of kernels, or of the
/// fields to which swaps give its memory.
bool is_filled_by_others(step_program const& program, int field) {
  auto const swaps = [&](step_statement const& statement) {
    return statement.kernel < 0 && (statement.swapped[0] == field || statement.swapped[1] == field);
  };
  return std::ranges::any_of(program.statements, swaps) ||
         std::ranges::find(program.borders, field, &kernel_borders::field) != program.borders.end();
}

/// Plans one fill.
class fill_planner {
public:
  fill_planner(step_dataflow const& flow, step_fill const& fill,
               std::vector<std::shared_ptr<std::byte>> const& buffers, step_tiling& tiles)
      : flow_(flow),
        fill_(fill),
        buffers_(buffers),
        tiles_(static_cast<step_tiles&>(tiles)),
        array_(flow.supplies()[fill.supply].array),
        filled_(field_of(flow, array_)),
        by_(field_of(flow.program(), fill.field)) {}

  /// Border by border.
  std::vector<fill_group> groups(computed_regions const& regions) const {
    auto const* const own = flow_.program().conditions(fill_.borders);
    auto const beyond = borders_of_components(regions);
    std::vector<fill_group> all(by_.borders.size());
    for (int k = 0; k < std::ssize(all); ++k)
      for (int c = 0; c < filled_.components; ++c) {
        auto const& border = by_.border_of(own, k, c);
        for (border_ghosts const& ghosts : beyond[c])
          if (ghosts.axis == border.where.axis && ghosts.side == border.where.side)
            add(all[k], c, ghosts, border);
      }
    return all;
  }

private:
  /// The ghosts beyond borders that are needed. [components]
  std::vector<std::vector<border_ghosts>> borders_of_components(
      computed_regions const& regions) const {
    std::vector<std::vector<border_ghosts>> all;
    bool const is_uniform = flow_.is_uniform(array_, fill_.readers);
    for (int c = 0; c < filled_.components; ++c)
      all.push_back(c > 0 && is_uniform
                        ? all.front()
                        : needs_of(filled_, flow_, filled_.space->rank(), regions, fill_.readers, c)
                              .beyond_borders());
    return all;
  }

  /// Adds what fills ghosts of a component beyond one border.
  void add(fill_group& group, int component, border_ghosts const& beyond,
           filled_border const& by) const {
    for (box3 const& zone : cut_by_zones(beyond.ghosts, filled_.space->owned(filled_.options.on))) {
      for (box3 const& piece : tiles_.pieces_of(zone, *filled_.space, fill_.first_reader()))
        group.pieces.push_back(planned(component, {beyond.axis, beyond.side, piece}, by));
      group.whole.emplace_back(zone);
    }
  }

  planned_fill planned(int component, border_ghosts const& piece, filled_border const& by) const {
    planned_fill made;
    auto const& condition = by.conditions[component];
    made.reads = seen_from(*filled_.space, filled_.options.on, piece, condition.num_seen);
    made.writes = piece.ghosts;
    auto const& source = condition.source;
    component_memory other;
    if (source.is_used())
      if (auto const beside = array_of(*source.field.lock()); beside >= 0) {
        auto const& field = field_of(flow_, beside);
        made.beside = beside;
        made.read_beside = domain_images(*field.space, field.options.on).inside(piece.ghosts);
        other = field.component(buffers_[beside], source.component);
      }
    made.work = std::make_unique<border_work>(
        by.fills[component], by_,
        filled_memory{filled_.component(buffers_[array_], component), other,
                      filled_.space->relative(piece.ghosts), component,
                      !is_filled_by_others(flow_.program(), fill_.field)});
    return made;
  }

  /// The version of another field that the conditions read, or -1.
  int array_of(field_state const& field) const {
    for (auto const& [number, array] : fill_.beside)
      if (flow_.program().fields[number].get() == &field)
        return array;
    return -1;
  }

  step_dataflow const& flow_;
  step_fill const& fill_;
  std::vector<std::shared_ptr<std::byte>> const& buffers_;
  step_tiles& tiles_;
  int array_;
  field_state const &filled_, &by_; ///< of the array; whose conditions these are
};

} // namespace

std::vector<planned_fill> field_state::copies(std::shared_ptr<std::byte> const& buffer, int which,
                                              travelling_part const& part) const {
  index3 back{};
  for (int a = 0; a < 3; ++a)
    back[a] = part.owned.box().lo[a] - part.needed.box().lo[a];
  std::vector<planned_fill> pieces;
  for (box3 const& piece : cut(part.needed.box(), ghosts_of_a_piece(part.needed.size())))
    pieces.push_back({std::make_unique<ghost_copy>(component(buffer, which), element_bytes,
                                                   space->relative(piece), back),
                      shift(piece, back), piece});
  return pieces;
}

std::vector<fill_group> field_state::fills(
    step_dataflow const& flow, step_fill const& fill, computed_regions const& regions,
    std::vector<std::shared_ptr<std::byte>> const& buffers_of_arrays, step_tiling& tiles) const {
  return fill_planner(flow, fill, buffers_of_arrays, tiles).groups(regions);
}

} // namespace seam::detail
