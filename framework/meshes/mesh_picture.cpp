#include <seam/framework/meshes/mesh_picture.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/files/picture_scale.hpp>
#include <seam/mesh/fluxes/measure.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace seam {
using namespace detail;

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

/// Maps a place to the picture: to the right, upward, and toward the viewer.
struct view {
  std::array<vector3, 3> axes;

  vector3 operator()(vector3 const& at) const {
    vector3 seen{};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        seen[a] += axes[a][b] * at[b];
    return seen;
  }
};

constexpr view from_above{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

view from_a_corner() {
  double const s = std::sqrt(0.5), t = std::sqrt(1.0 / 6), u = std::sqrt(1.0 / 3);
  return {{{{s, s, 0}, {-t, t, 2 * t}, {u, -u, u}}}};
}

/// A box in the coordinates of a view.
struct extent {
  std::array<double, 3> low, high;
};

/// The smallest box around the mesh.
/// Collective: over the mesh.
extent extent_of(Mesh const& mesh, view const& how) {
  std::array<double, 6> most;
  most.fill(nothing);
  int const d = mesh.num_dimensions();
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    for (int k = 0; k < std::ssize(mesh.cells().vertices[c]); ++k) {
      vector3 const seen = how(mesh.corner(d, c, k));
      for (int a = 0; a < 3; ++a) {
        most[a] = std::max(most[a], seen[a]);
        most[a + 3] = std::max(most[a + 3], -seen[a]);
      }
    }
  mpi::allreduce(mesh.base().context(), std::span<double>(most), MPI_MAX);
  return {{-most[3], -most[4], -most[5]}, {most[0], most[1], most[2]}};
}

/// A picture being drawn: for each pixel the value seen there and its nearness to the viewer.
class canvas {
public:
  canvas(extent const& shown, int largest_side) : low_(shown.low) {
    double const wide = shown.high[0] - shown.low[0], tall = shown.high[1] - shown.low[1];
    double const longest = std::max({wide, tall, std::numeric_limits<double>::min()});
    scale_ = largest_side / longest;
    width_ = std::clamp<std::int64_t>(std::llround(wide * scale_), 1, largest_side);
    height_ = std::clamp<std::int64_t>(std::llround(tall * scale_), 1, largest_side);
    nearness_.assign(width_ * height_, nothing);
    values_ = nearness_;
  }

  /// Draws a triangle with values at its corners, except where a nearer one is drawn.
  void draw(std::array<vector3, 3> corners, std::array<double, 3> const& values) {
    for (vector3& corner : corners)
      corner = {(corner[0] - low_[0]) * scale_, (corner[1] - low_[1]) * scale_, corner[2]};
    auto const& [a, b, c] = corners;
    double const area = cross(a, b, c[0], c[1]);
    if (area == 0)
      return;
    auto const [left, right] =
        pixels(std::min({a[0], b[0], c[0]}), std::max({a[0], b[0], c[0]}), width_);
    auto const [low, high] =
        pixels(std::min({a[1], b[1], c[1]}), std::max({a[1], b[1], c[1]}), height_);
    for (std::int64_t y = low; y < high; ++y)
      for (std::int64_t x = left; x < right; ++x) {
        double const px = double(x) + 0.5, py = double(y) + 0.5;
        double const wa = cross(b, c, px, py) / area, wb = cross(c, a, px, py) / area;
        double const wc = 1 - wa - wb;
        if (std::min({wa, wb, wc}) >= -1e-9)
          put(x, y, wa * a[2] + wb * b[2] + wc * c[2],
              values[0] + wb * (values[1] - values[0]) + wc * (values[2] - values[0]));
      }
  }

  /// Keeps, for each pixel, the nearest value of all ranks' canvases.
  /// Collective: over `over`.
  void combine(mpi::comm_view over) {
    std::vector<double> const own = nearness_;
    mpi::allreduce(over, std::span<double>(nearness_), MPI_MAX);
    for (std::int64_t p = 0; p < std::ssize(own); ++p)
      if (own[p] < nearness_[p])
        values_[p] = nothing;
    mpi::allreduce(over, std::span<double>(values_), MPI_MAX);
  }

  /// Colors the values; pixels without one are white.
  picture colored(color_map const& colors, std::pair<double, double> const& range) const {
    picture painted{width_, height_, {}};
    double const length = range.second - range.first;
    for (std::int64_t y = height_ - 1; y >= 0; --y)
      for (std::int64_t x = 0; x < width_; ++x) {
        double const value = values_[at(x, y)];
        painted.pixels.push_back(value == nothing
                                     ? color{255, 255, 255}
                                     : colors(length > 0 ? (value - range.first) / length : 0.5));
      }
    return painted;
  }

private:
  static double cross(vector3 const& a, vector3 const& b, double x, double y) {
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
  }
  static std::pair<std::int64_t, std::int64_t> pixels(double from, double to, std::int64_t most) {
    return {std::clamp<std::int64_t>(std::int64_t(std::floor(from)), 0, most),
            std::clamp<std::int64_t>(std::int64_t(std::ceil(to)) + 1, 0, most)};
  }
  std::int64_t at(std::int64_t x, std::int64_t y) const { return y * width_ + x; }
  void put(std::int64_t x, std::int64_t y, double near, double value) {
    auto& nearness = nearness_[at(x, y)];
    double& shown = values_[at(x, y)];
    shown = near > nearness ? value : near == nearness ? std::max(value, shown) : shown;
    nearness = std::max(near, nearness);
  }

  vector3 low_;
  double scale_;
  std::int64_t width_, height_;
  std::vector<double> nearness_, values_;
};

/// The value at a vertex of a cell: the cell's or the vertex's own.
double value_at(detail::drawn_values const& shown, local_id cell, local_id vertex) {
  return shown.values[shown.dimension == 0 ? vertex : cell];
}

/// Draws a polygon of a cell as a fan of triangles around its first vertex, the same on all ranks.
void draw_polygon(canvas& on, view const& how, detail::corner_list const& corners, local_id cell,
                  detail::drawn_values const& shown) {
  auto const value = [&](int k) { return value_at(shown, cell, corners.ids[k]); };
  for (int k = 2; k < corners.count; ++k)
    on.draw({how(corners.where[0]), how(corners.where[k - 1]), how(corners.where[k])},
            {value(0), value(k - 1), value(k)});
}

/// Whether a side of a cell is seen from outside: no other cell has it in the same place.
bool is_outside(Mesh const& mesh, local_id cell, local_id side) {
  auto const cells = mesh.adjacent(2, 3)[side];
  return std::ranges::all_of(cells, [&](local_id other) {
    return other == cell || mesh.offset(other, 2, side) != mesh.offset(cell, 2, side);
  });
}

/// The corners of a side where a cell has it.
detail::corner_list corners_in_cell(Mesh const& mesh, local_id cell, local_id side) {
  auto corners = detail::corners_of(mesh, 2, side);
  vector3 const offset = mesh.offset(cell, 2, side);
  for (vector3& corner : corners.where)
    corner += offset;
  return corners;
}

/// Draws own cells; in three dimensions those of their sides that belong to no other cell.
void draw_cells(canvas& on, Mesh const& mesh, view const& how, detail::drawn_values const& shown) {
  int const d = mesh.num_dimensions();
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    if (d == 2)
      draw_polygon(on, how, detail::corners_of(mesh, 2, c), c, shown);
    else
      for (local_id const side : mesh.adjacent(3, 2)[c])
        if (is_outside(mesh, c, side))
          draw_polygon(on, how, corners_in_cell(mesh, c, side), c, shown);
}

void check(Mesh const& mesh, detail::drawn_values const& shown,
           mesh_picture_options const& options) {
  constexpr int most = 8192;
  if (shown.dimension != 0 && shown.dimension != mesh.num_dimensions())
    refuse(
        fmt::format("picture: values on entities of dimension {} (expected vertices, 0, or cells, "
                    "{})",
                    shown.dimension, mesh.num_dimensions()));
  if (shown.dimension != 0 && std::ssize(shown.values) != mesh.cells().num_owned)
    refuse(fmt::format("picture: {} values (expected one for each of {} own cells)",
                       shown.values.size(), mesh.cells().num_owned));
  if (mesh.num_dimensions() < 2)
    refuse("picture: a mesh of lines (expected surfaces or volumes)");
  if (options.largest_side < 1 || options.largest_side > most)
    refuse(fmt::format("picture: a side of {} pixels (expected 1 to {})", options.largest_side,
                       most));
  if (options.range && !(options.range->first < options.range->second))
    refuse(fmt::format("picture: the range {} to {} (expected an ascending one)",
                       options.range->first, options.range->second));
}

} // namespace

std::pair<double, double> detail::range_of(Mesh const& mesh, drawn_values const& shown) {
  std::array<double, 2> most{nothing, nothing};
  for (double const value : shown.values.first(mesh.entities(shown.dimension).num_owned))
    most = {std::max(most[0], value), std::max(most[1], -value)};
  mpi::allreduce(mesh.base().context(), std::span<double>(most), MPI_MAX);
  return {-most[1], most[0]};
}

picture detail::draw_mesh(Mesh const& mesh, drawn_values const& shown,
                          mesh_picture_options const& options) {
  mpi::comm_view const over = mesh.base().context();
  collectively(over, [&] { check(mesh, shown, options); });
  auto const flat = extent_of(mesh, from_above);
  bool const is_flat = mesh.num_dimensions() == 2 && flat.low[2] == flat.high[2];
  view const how = is_flat ? from_above : from_a_corner();
  canvas drawn(extent_of(mesh, how), options.largest_side);
  draw_cells(drawn, mesh, how, shown);
  drawn.combine(over);
  auto const range = options.range ? *options.range : range_of(mesh, shown);
  if (over.rank() != 0)
    return {};
  auto colored = drawn.colored(options.colors, range);
  if (!options.with_scale)
    return colored;
  detail::picture_scale scale{options.colors, range};
  if (is_flat) {
    scale.across = {flat.low[0], flat.high[0]};
    scale.upright = {flat.low[1], flat.high[1]};
  }
  return with_scale(colored, scale);
}

void detail::add_mesh_frame(animation& to, Mesh const& mesh, drawn_values const& shown,
                            mesh_picture_options options) {
  if (!options.range) {
    auto const range = to.widen_range(range_of(mesh, shown));
    if (range.first < range.second)
      options.range = range;
  }
  to.add(draw_mesh(mesh, shown, options));
}

void detail::write_mesh_png(Mesh const& mesh, drawn_values const& shown, std::string const& path,
                            mesh_picture_options const& options) {
  mpi::comm_view const over = mesh.base().context();
  collectively(over, [&] { check(mesh, shown, options); });
  output_file file(over, path);
  picture const drawn = draw_mesh(mesh, shown, options);
  file.write_on_rank_0([&](std::string const& temporary) {
    detail::write_png(drawn, temporary, path);
  });
}

void write_png(Mesh const& mesh, std::span<double const> cells, std::string const& path,
               mesh_picture_options const& options) {
  detail::call_scope const here("write_png");
  detail::write_mesh_png(mesh, {mesh.num_dimensions(), cells}, path, options);
}

} // namespace seam
