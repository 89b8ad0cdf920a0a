// Zoltan's unstructured communication: each exchange makes a plan, uses it once and destroys it.
#include "way.hpp"

#include <zoltan_comm.h>
#include <zoltan_types.h>

#include <fmt/format.h>

namespace sparse_bench {
namespace {

void check_zoltan(int code, char const* call) {
  if (code != ZOLTAN_OK)
    throw seam::error(fmt::format("{} failed with Zoltan's error {}", call, code));
}

class zoltan final : public way {
public:
  zoltan(MPI_Comm comm, int length) : comm_(comm), length_(length) {}

  void exchange(std::vector<int> const& ranks, std::span<double const> values,
                arrivals& in) override {
    pack(ranks, values, out_);
    ranks_ = ranks; // the call takes them without const
    ZOLTAN_COMM_OBJ* plan = nullptr;
    int num_arriving = 0;
    check_zoltan(Zoltan_Comm_Create(&plan, static_cast<int>(ranks_.size()), ranks_.data(), comm_,
                                    tag, &num_arriving),
                 "Zoltan_Comm_Create");
    in.ranks.resize(num_arriving);
    in_.resize(in.ranks.size() * values.size());
    lengths_.resize(in.ranks.size());
    check_zoltan(Zoltan_Comm_Info(plan, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                  nullptr, in.ranks.data(), lengths_.data(), nullptr, nullptr,
                                  nullptr, nullptr),
                 "Zoltan_Comm_Info");
    check_zoltan(Zoltan_Comm_Do(plan, tag, reinterpret_cast<char*>(out_.data()),
                                length_ * static_cast<int>(sizeof(double)),
                                reinterpret_cast<char*>(in_.data())),
                 "Zoltan_Comm_Do");
    check_zoltan(Zoltan_Comm_Destroy(&plan), "Zoltan_Comm_Destroy");
    point_to(in_.data(), values.size(), in);
  }

private:
  static constexpr int tag = 7;

  MPI_Comm comm_;
  int length_;
  std::vector<int> ranks_, lengths_;
  std::vector<double> out_, in_;
};

} // namespace

std::vector<rival> rivals_of_zoltan() { return {rival::by<zoltan>("zoltan comm")}; }

} // namespace sparse_bench
