// Random programs of steps on meshes of all shapes, periodic and scattered over the ranks too, have the
// bits of a serial interpreter.
#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/serial_mesh_steps.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/partition.hpp>

#include <cstdlib>
#include <string>

using namespace seam;
using namespace seam::testing;

namespace {

constexpr int num_fields = 6;

int number_from(char const* variable, int otherwise) {
  char const* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

/// What a case draws, the same on all ranks.
struct drawn_case {
  int kind; ///< of the mesh
  bool is_periodic, is_scattered;
  int depth, places_of_tile, num_runs, fused_steps;
  std::vector<recipe> program;
  int through = 0; ///< of ghost layers: programs that need others are refused
};

mesh_input input_of(Communicator const& over, drawn_case const& drawn) {
  if (!drawn.is_periodic)
    return mesh_of_kind(over, drawn.kind);
  auto box =
      box_mesh(over, drawn.kind % 2 == 0 ? shape::triangle : shape::quadrilateral, {4, 5, 1});
  identify(over, box, 1, 2);
  return box;
}

Mesh mesh_of(Communicator const& over, drawn_case const& drawn, unsigned seed) {
  Mesh const mesh(over, input_of(over, drawn), {.depth = drawn.depth, .through = drawn.through});
  return drawn.is_scattered ? scattered(mesh, seed) : mesh;
}

/// A set in which there are entities; without one if there are none.
void draw_set(recipe& made, Mesh const& whole, int dimension, std::mt19937& random) {
  int const d = whole.num_dimensions();
  made.has_set = random() % 2 == 0;
  made.set = static_cast<set_kind>(random() % num_set_kinds);
  bool const is_of_parts = made.set == set_kind::inner || made.set == set_kind::closure;
  auto const has_tag = [&](int of) { return std::ranges::count(whole.entities(of).tags, 1) > 0; };
  if ((is_of_parts && dimension == d) || (made.set == set_kind::border && dimension != d - 1) ||
      (made.set == set_kind::tagged && !has_tag(dimension)))
    made.has_set = false;
  if (made.has_set && made.set == set_kind::closure) {
    bool has_border = false;
    auto const& sides2cells = whole.adjacent(d - 1, d);
    for (local_id side = 0; side < whole.sides().num_local(); ++side)
      has_border = has_border || (sides2cells[side].size() == 1 && whole.sides().tags[side] == 1);
    made.has_set = has_border;
  }
}

recipe draw_recipe(Mesh const& whole, int depth, bool may_take, std::mt19937& random) {
  int const d = whole.num_dimensions();
  auto const dimension_of = [&](int field) { return field % (d + 1); };
  recipe made;
  made.kind = static_cast<recipe_kind>(random() % num_recipe_kinds);
  if (made.kind == recipe_kind::takes && !may_take)
    made.kind = recipe_kind::modifies;
  made.to = static_cast<int>(random() % num_fields);
  made.from = static_cast<int>(random() % num_fields);
  made.at = static_cast<int>(random() % (d + 1));
  made.scale = 0.125 * static_cast<double>(1 + random() % 9);
  made.offset = 0.1 * static_cast<double>(random() % 11) - 0.5;
  made.every = 1 + static_cast<std::int64_t>(random() % 3) / 2;
  made.phase = made.every > 1 ? static_cast<std::int64_t>(random() % 2) : 0;
  bool const adds = made.kind == recipe_kind::adds || made.kind == recipe_kind::collects;
  while ((made.kind == recipe_kind::writes || adds) && made.from == made.to)
    made.from = (made.from + 1) % num_fields;
  auto const has_own_kind = [&](int dimension) { return dimension == 0 || dimension == d; };
  if (made.kind == recipe_kind::writes && dimension_of(made.to) == dimension_of(made.from) &&
      !has_own_kind(dimension_of(made.to)))
    made.kind = recipe_kind::modifies;
  if ((made.kind == recipe_kind::updates || made.kind == recipe_kind::colors ||
       made.kind == recipe_kind::lists) &&
      !has_own_kind(dimension_of(made.to)))
    made.kind = recipe_kind::modifies;
  if (adds) {
    bool const is_second_hop =
        made.at == dimension_of(made.to) || made.at == dimension_of(made.from);
    if (is_second_hop && (depth < 2 || !has_own_kind(made.at)))
      made.kind = recipe_kind::modifies;
  }
  int const called = made.kind == recipe_kind::adds || made.kind == recipe_kind::collects ? made.at
                     : made.kind == recipe_kind::reduces ? dimension_of(made.from)
                                                         : dimension_of(made.to);
  if (made.kind != recipe_kind::colors)
    draw_set(made, whole, called, random);
  if (made.kind == recipe_kind::reduces) {
    made.every = 1;
    made.phase = 0;
    made.has_set = made.has_set && made.set != set_kind::inner; // there may be none
  }
  return made;
}

drawn_case draw(unsigned seed) {
  std::mt19937 random(seed);
  drawn_case made{};
  made.kind = static_cast<int>(random() % num_kinds);
  made.is_periodic = random() % 4 == 0;
  made.is_scattered = random() % 2 == 0;
  made.depth = std::vector{1, 2, 3, 5}[random() % 4];
  made.places_of_tile = std::vector{1, 2, 5, 30, 0}[random() % 5];
  made.num_runs = 1 + static_cast<int>(random() % 3);
  made.fused_steps = std::vector{1, 2, 3, 5}[random() % 4];
  Mesh const whole =
      mesh_of(alone(), {made.kind, made.is_periodic, false, made.depth, 0, 0, 1, {}}, 0);
  bool may_take = false;
  for (int k = 2 + static_cast<int>(random() % 6); k > 0; --k) {
    made.program.push_back(draw_recipe(whole, made.depth, may_take, random));
    may_take = may_take || made.program.back().kind == recipe_kind::reduces;
  }
  bool const has_lists = std::ranges::any_of( // which would lack entities
      made.program, [](recipe const& k) { return k.kind == recipe_kind::lists; });
  if (random() % 3 == 0 && !has_lists)
    made.through = static_cast<int>(random() % whole.num_dimensions());
  return made;
}

mesh_set set_of(Mesh const& mesh, recipe const& k, int dimension) {
  auto const part = dimension == mesh.num_dimensions()       ? mesh_part::cells
                    : dimension == 0                         ? mesh_part::vertices
                    : dimension + 1 == mesh.num_dimensions() ? mesh_part::sides
                                                             : mesh_part::edges;
  switch (k.has_set ? k.set : set_kind::all) {
  case set_kind::all: return mesh.all(part);
  case set_kind::inner: return mesh.inner(part);
  case set_kind::border: return mesh.border();
  case set_kind::tagged: return mesh.tagged(part, 1);
  case set_kind::closure: return mesh.closure(1, part);
  default: break;
  }
  std::vector<local_id> own;
  for (local_id e = 0; e < mesh.entities(dimension).num_owned; ++e)
    if (is_listed(mesh.entities(dimension).ids[e]))
      own.push_back(e);
  return mesh.listed(part, own);
}

mesh_part part_of(Mesh const& mesh, int dimension) {
  return dimension == mesh.num_dimensions() ? mesh_part::cells
         : dimension == 0                   ? mesh_part::vertices
         : dimension == 1                   ? mesh_part::edges
                                            : mesh_part::faces;
}

/// A program on a mesh of all ranks.
class subject {
public:
  subject(Mesh const& mesh, drawn_case const& drawn) : mesh_(mesh), step_(mesh) {
    step_.machine().settings().tile_extent = drawn.places_of_tile;
    for (int f = 0; f < num_fields; ++f) {
      int const dimension = f % (mesh.num_dimensions() + 1);
      fields.emplace_back(mesh, "f" + std::to_string(f), dimension);
      for (local_id e = 0; e < fields.back().entities().num_owned; ++e)
        fields.back()(e) = first_value(f, fields.back().entities().ids[e]);
    }
    for (recipe const& kernel : drawn.program)
      declare(kernel);
    fuse(drawn.fused_steps);
  }

  /// Fuses as many steps as the ghost cells suffice for, at most `steps`. All ranks agree.
  void fuse(int steps) {
    for (; steps > 1; --steps) {
      step_.fuse(steps);
      if (refusal_of([&] { step_.plan(); }) == "nothing was thrown")
        break;
    }
    step_.fuse(steps);
    fused_steps = steps;
  }

  void plan() { step_.plan(); }
  void run(std::int64_t count) { step_.run(count); }

  std::vector<MeshField<double>> fields;
  Value<double> total{"total"}, least{"least"};
  int fused_steps = 1;

private:
  void declare(recipe const& k) {
    MeshField<double>&to = fields[k.to], &from = fields[k.from];
    mesh_part const to_part = part_of(mesh_, to.dimension()),
                    from_part = part_of(mesh_, from.dimension());
    double const scale = k.scale, offset = k.offset;
    switch (k.kind) {
    case recipe_kind::writes: {
      bool const reads_own = to.dimension() == from.dimension();
      step_
          .each(
              "writes", set_of(mesh_, k, to.dimension()), writes(to), reads(from, from_part),
              SEAM_KERNEL(auto a, auto b) {
                double sum = 0;
                for (int n = 0; n < b.count(); ++n)
                  sum += (scale + n) * b(n);
                a = fold((reads_own ? offset * b() : offset) + sum);
              })
          .every(k.every, k.phase);
      break;
    }
    case recipe_kind::updates:
    case recipe_kind::colors: declare_own_neighbors(k, to, to_part); break;
    case recipe_kind::lists: declare_lists(k, to); break;
    case recipe_kind::modifies:
      step_
          .each(
              "modifies", set_of(mesh_, k, to.dimension()), modifies(to),
              SEAM_KERNEL(auto a) { a = fold(a() * scale - offset); })
          .every(k.every, k.phase);
      break;
    case recipe_kind::takes:
      step_
          .each(
              "takes", set_of(mesh_, k, to.dimension()), modifies(to), with(total), with(least),
              SEAM_KERNEL(auto a, double all, double one) { a = fold(a() + all - one); })
          .every(k.every, k.phase);
      break;
    case recipe_kind::adds: declare_adder(k, adds(to, to_part), from, from_part); break;
    case recipe_kind::collects: declare_adder(k, collects(to, to_part), from, from_part); break;
    case recipe_kind::reduces:
      step_.each(
          "reduces", set_of(mesh_, k, from.dimension()), reads(from), sum(total), minimum(least),
          SEAM_KERNEL(auto a, auto all, auto one) {
            all(a());
            one(a());
          });
    }
  }

  void declare_own_neighbors(recipe const& k, MeshField<double>& to, mesh_part part) {
    double const scale = k.scale, offset = k.offset;
    auto const kernel = SEAM_KERNEL(auto a) {
      double sum = 0;
      for (int n = 0; n < a.count(); ++n)
        sum += (scale + n) * a(n);
      a = fold(offset * a() + sum);
    };
    if (k.kind == recipe_kind::updates)
      step_.each("updates", set_of(mesh_, k, to.dimension()), updates(to, part), kernel)
          .every(k.every, k.phase);
    else
      step_.each("colors", modifies(to, part), kernel).in_colors().every(k.every, k.phase);
  }

  void declare_lists(recipe const& k, MeshField<double>& to) {
    adjacency list;
    std::vector<double> of_entries, of_entities;
    auto const& all = to.entities();
    for (local_id e = 0; e < all.num_owned; ++e) {
      auto const around = mesh_.adjacent(to.dimension(), to.dimension())[e];
      for (std::size_t n = around.size(); n-- > 0;)
        if (is_in_lists(all.ids[around[n]])) {
          list.ab2b.push_back(around[n]);
          of_entries.push_back(number_of_entry(all.ids[e], all.ids[around[n]]));
        }
      list.end_row();
      of_entities.push_back(number_of(all.ids[e]));
    }
    double const offset = k.offset;
    step_
        .each(
            "lists", set_of(mesh_, k, to.dimension()), updates(to, list), reads(of_entries),
            reads(of_entities),
            SEAM_KERNEL(auto a, auto entry, auto own) {
              double sum = own();
              for (int n = 0; n < a.count(); ++n)
                sum += entry(n) * a(n);
              a = fold(offset * a() + sum);
            })
        .every(k.every, k.phase);
  }

  template <class Role>
  void declare_adder(recipe const& k, Role const& role, MeshField<double>& from, mesh_part part) {
    double const scale = k.scale, offset = k.offset;
    step_
        .each(
            "adds", set_of(mesh_, k, k.at), role, reads(from, part),
            SEAM_KERNEL(auto a, auto b) {
              double sum = 0;
              for (int n = 0; n < b.count(); ++n)
                sum += (scale + n) * b(n);
              double const amount = fold(offset + sum);
              for (int n = 0; n < a.count(); ++n)
                a(n) += amount / (1 + n);
            })
        .every(k.every, k.phase);
  }

  Mesh mesh_;
  Steps<on_mesh> step_;
};

/// The own values of this rank that differ.
int count_wrong(subject const& run, serial_mesh_steps const& expected) {
  int wrong = 0;
  for (int f = 0; f < num_fields; ++f) {
    auto const& field = run.fields[f];
    auto const& ids = expected.entities_of(f).ids;
    for (local_id e = 0; e < field.entities().num_owned; ++e) {
      auto const at = std::ranges::lower_bound(ids, field.entities().ids[e]) - ids.begin();
      wrong += field(e) != expected.fields[f][at] ? 1 : 0;
    }
  }
  return wrong;
}

} // namespace

TEST_CASE("random programs on meshes have the bits of a serial interpreter") {
  int const first = number_from("SEAM_MESH_STEPS_SEED", 1);
  int const count = number_from("SEAM_MESH_STEPS_CASES", 20);
  int num_fused = 0;
  for (int seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    auto const drawn = draw(static_cast<unsigned>(seed));
    CAPTURE(drawn.kind, drawn.is_periodic, drawn.is_scattered, drawn.depth, drawn.through,
            drawn.places_of_tile);
    std::string words;
    for (recipe const& k : drawn.program)
      words += std::to_string(static_cast<int>(k.kind)) + ":" + std::to_string(k.from) + ">" +
               std::to_string(k.to) + "@" + std::to_string(k.at) + "/" +
               (k.has_set ? std::to_string(static_cast<int>(k.set)) : "-") + " ";
    CAPTURE(words);
    checks_in_scope const checks(seed % 3 == 0);
    serial_mesh_steps expected(mesh_of(alone(), drawn, 0), num_fields);
    subject run(mesh_of(world(), drawn, static_cast<unsigned>(seed)), drawn);
    if (drawn.through > 0) {
      auto const line = refusal_of([&] { run.plan(); });
      if (line != "nothing was thrown") {
        CHECK_THAT(line, Catch::Contains("of ghost cells through"));
        continue;
      }
    }
    num_fused += run.fused_steps > 1 ? 1 : 0;
    CAPTURE(run.fused_steps);
    std::int64_t done = 0;
    for (int r = 0; r < drawn.num_runs; ++r) {
      std::int64_t const steps = 1 + (seed + r) % 5;
      run.run(steps);
      for (std::int64_t s = 0; s < steps; ++s)
        expected.step(drawn.program, done++);
      int const wrong =
          mpi::allreduce(mpi::comm_view(MPI_COMM_WORLD), count_wrong(run, expected), MPI_SUM);
      REQUIRE(wrong == 0);
    }
  }
  CHECK((count < 20 || num_fused > 1)); // deep enough meshes are among any twenty
}
