#include <seam/mesh/entities/joined_vertices.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <tuple>

namespace seam::detail {
namespace {

constexpr double tolerance = 1e-6; ///< relative to the longest displacement
constexpr double most_at_once = 8; ///< periods between two vertices that are joined

double det(vector3 const& a, vector3 const& b, vector3 const& c) { return dot(a, cross(b, c)); }

vector3 perpendicular_to(vector3 const& a) {
  vector3 const axis = std::abs(a[0]) < 0.5 * length(a) ? vector3{1, 0, 0} : vector3{0, 1, 0};
  return cross(a, axis);
}

/// Coefficients of a vector along the periods, by least squares.
vector3 along_periods(vector3 const& by, std::span<vector3 const> periods) {
  if (periods.empty())
    return {};
  vector3 const& a = periods[0];
  vector3 const b = periods.size() > 1 ? periods[1] : perpendicular_to(a);
  vector3 const c = periods.size() > 2 ? periods[2] : cross(a, b);
  double const all = det(a, b, c);
  return {det(by, b, c) / all, periods.size() > 1 ? det(a, by, c) / all : 0,
          periods.size() > 2 ? det(a, b, by) / all : 0};
}

vector3 minus_multiples(vector3 by, vector3 const& steps, std::span<vector3 const> periods) {
  for (std::size_t k = 0; k < periods.size(); ++k)
    by = by - steps[k] * periods[k];
  return by;
}

vector3 rounded(vector3 steps) {
  for (double& step : steps)
    step = std::round(step);
  return steps;
}

/// The displacement, or its reverse, whose first component that is not about 0 is above 0.
displacement pointing_up(displacement from, double error) {
  for (double const component : from.by) {
    if (component < -error)
      return {-1.0 * from.by, from.other, from.vertex};
    if (component > error)
      break;
  }
  return from;
}

[[noreturn]] void refuse_displacement(displacement const& found, displacement const& known) {
  refuse(fmt::format("mesh: vertices {} and {} are joined, but lie ({:.6g}) apart, vertices {} and "
                     "{} ({:.6g}) (expected vertices that match by at most three translations)",
                     found.vertex, found.other, fmt::join(found.by, ", "), known.vertex,
                     known.other, fmt::join(known.by, ", ")));
}

/// The different ones of some displacements, each with its least vertex.
std::vector<displacement> distinct(std::vector<displacement> all, double error) {
  constexpr std::size_t most = 26; ///< sums and differences of three periods, both ways
  std::ranges::sort(all, {}, [](displacement const& at) { return std::pair(at.vertex, at.other); });
  std::vector<displacement> kept;
  for (displacement const& each : all) {
    displacement const found = pointing_up(each, error);
    bool const is_known =
        length(found.by) <= error || std::ranges::any_of(kept, [&](displacement const& known) {
          return length(found.by - known.by) <= error;
        });
    if (!is_known && kept.size() == most)
      refuse_displacement(found, kept.front());
    if (!is_known)
      kept.push_back(found);
  }
  return kept;
}

/// The lists of all ranks.
/// Collective: over `over`.
std::vector<displacement> gathered(Communicator const& over, std::vector<displacement> const& own) {
  auto all = send_records<displacement>(over, own, std::vector<int>(own.size(), 0)).records;
  auto count = std::ssize(all);
  mpi::bcast(over.context(), std::span(&count, 1), 0);
  all.resize(count);
  mpi::bcast(over.context(), std::as_writable_bytes(std::span(all)), 0);
  return all;
}

/// Adds a displacement to the periods unless it is made of them.
void add_period(std::vector<displacement>& to, displacement const& found, double error) {
  std::vector<vector3> periods;
  for (displacement const& known : to)
    periods.push_back(known.by);
  vector3 const steps = along_periods(found.by, periods);
  vector3 const rest = minus_multiples(found.by, rounded(steps), periods);
  if (length(rest) <= error)
    return;
  bool const is_independent = length(minus_multiples(found.by, steps, periods)) > error;
  if (to.size() == 3 || !is_independent ||
      (!to.empty() && length(rest) < 0.5 * length(to.front().by)))
    refuse_displacement(found, to.front());
  to.push_back(found);
}

} // namespace

std::vector<vector3> find_periods(Communicator const& over, std::span<displacement const> all) {
  double longest = 0;
  for (displacement const& each : all)
    longest = std::max(longest, length(each.by));
  double const error = tolerance * mpi::allreduce(over.context(), longest, MPI_MAX);
  auto const own = collectively(over.context(), [&] {
    return distinct({all.begin(), all.end()}, error);
  });
  auto const of_all = gathered(over, own);
  return collectively(over.context(), [&] {
    auto sorted = distinct(of_all, error);
    std::ranges::stable_sort(sorted, {}, [](displacement const& at) { return length(at.by); });
    std::vector<displacement> periods;
    for (displacement const& found : sorted)
      add_period(periods, found, error);
    std::vector<vector3> vectors;
    for (displacement const& period : periods)
      vectors.push_back(period.by);
    return vectors;
  });
}

vertex_image nearest_image(vector3 const& by, std::span<vector3 const> periods) {
  vector3 const steps = rounded(along_periods(by, periods));
  vertex_image image;
  for (int k = 0; k < 3; ++k) {
    if (!(std::abs(steps[k]) <= most_at_once))
      refuse(fmt::format("mesh: joined vertices lie {} periods apart (expected at most {})",
                         steps[k], most_at_once));
    image.steps[k] = static_cast<std::int8_t>(steps[k]);
  }
  return image;
}

} // namespace seam::detail
