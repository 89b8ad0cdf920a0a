// Zoltan's geometric partitioners. They return the parts of points and do not migrate these.
#include "cloud.hpp"

#include <seam/exchange.hpp>

#include <zoltan.h>

#include <fmt/format.h>

#include <memory>
#include <string>

namespace partition_bench {
namespace {

void check(int code, char const* call) {
  if (code != ZOLTAN_OK)
    throw seam::error(fmt::format("{} failed with Zoltan's error {}", call, code));
}

seam::point_set const& points_of(void* data) { return *static_cast<seam::point_set const*>(data); }

int num_points(void* data, int* code) {
  *code = ZOLTAN_OK;
  return static_cast<int>(points_of(data).ids.size());
}

void list_points(void* data, int, int, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR places, int, float*,
                 int* code) {
  auto const& points = points_of(data);
  for (seam::local_id i = 0; i < std::ssize(points.ids); ++i) {
    ids[i] = static_cast<ZOLTAN_ID_TYPE>(points.ids[i]);
    places[i] = static_cast<ZOLTAN_ID_TYPE>(i);
  }
  *code = ZOLTAN_OK;
}

int num_axes(void* data, int* code) {
  *code = ZOLTAN_OK;
  return points_of(data).num_dimensions;
}

void list_coordinates(void* data, int, int, int count, ZOLTAN_ID_PTR, ZOLTAN_ID_PTR places,
                      int axes, double* coordinates, int* code) {
  auto const& points = points_of(data);
  for (int k = 0; k < count; ++k)
    for (int axis = 0; axis < axes; ++axis)
      coordinates[std::int64_t{axes} * k + axis] = points.coordinates[axis][places[k]];
  *code = ZOLTAN_OK;
}

class zoltan {
public:
  zoltan(seam::mpi::comm_view over, seam::point_set const& points, char const* method,
         int num_parts)
      : num_points_(points.ids.size()) {
    float version = 0;
    check(Zoltan_Initialize(0, nullptr, &version), "Zoltan_Initialize");
    zz_ = Zoltan_Create(over.native());
    if (zz_ == nullptr)
      throw seam::error("Zoltan_Create failed");
    std::string const parts = std::to_string(num_parts);
    for (auto const& [name, value] : {std::pair{"DEBUG_LEVEL", "0"},
                                      {"LB_METHOD", method},
                                      {"NUM_GLOBAL_PARTS", parts.c_str()},
                                      {"RETURN_LISTS", "PARTS"},
                                      {"IMBALANCE_TOL", "1.001"},
                                      {"CHECK_GEOM", "0"},
                                      {"KEEP_CUTS", "0"},
                                      {"REMAP", "0"}})
      check(Zoltan_Set_Param(zz_, name, value), name);
    auto* const data = const_cast<seam::point_set*>(&points);
    check(Zoltan_Set_Num_Obj_Fn(zz_, num_points, data), "Zoltan_Set_Num_Obj_Fn");
    check(Zoltan_Set_Obj_List_Fn(zz_, list_points, data), "Zoltan_Set_Obj_List_Fn");
    check(Zoltan_Set_Num_Geom_Fn(zz_, num_axes, data), "Zoltan_Set_Num_Geom_Fn");
    check(Zoltan_Set_Geom_Multi_Fn(zz_, list_coordinates, data), "Zoltan_Set_Geom_Multi_Fn");
  }
  ~zoltan() { Zoltan_Destroy(&zz_); }

  std::vector<int> partition() {
    int changes = 0, id_entries = 0, place_entries = 0, num_in = 0, num_out = 0;
    ZOLTAN_ID_PTR in_ids = nullptr, in_places = nullptr, out_ids = nullptr, out_places = nullptr;
    int *in_ranks = nullptr, *in_parts = nullptr, *out_ranks = nullptr, *out_parts = nullptr;
    check(Zoltan_LB_Partition(zz_, &changes, &id_entries, &place_entries, &num_in, &in_ids,
                              &in_places, &in_ranks, &in_parts, &num_out, &out_ids, &out_places,
                              &out_ranks, &out_parts),
          "Zoltan_LB_Partition");
    std::vector<int> points2parts(num_points_);
    for (int k = 0; k < num_out; ++k)
      points2parts[out_places[k]] = out_parts[k];
    Zoltan_LB_Free_Part(&in_ids, &in_places, &in_ranks, &in_parts);
    Zoltan_LB_Free_Part(&out_ids, &out_places, &out_ranks, &out_parts);
    return points2parts;
  }

private:
  std::int64_t num_points_;
  Zoltan_Struct* zz_ = nullptr;
};

} // namespace

std::function<std::vector<int>()> make_zoltan(
    seam::mpi::comm_view over, seam::point_set const& points, char const* method, int num_parts) {
  return [made = std::make_shared<zoltan>(over, points, method, num_parts)] {
    return made->partition();
  };
}

} // namespace partition_bench
