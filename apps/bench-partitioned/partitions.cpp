#include "way.hpp"

#include <seam/partitioned.hpp>

namespace partitioned_bench {
namespace {

class partitioned final : public way {
public:
  explicit partitioned(route const& along)
      : along_(along),
        out_(seam::psend_init(along.comm, seam::in_partitions(along.out, along.partitions),
                              along.to, 0)),
        in_(seam::precv_init(along.comm, seam::in_partitions(along.in, along.partitions),
                             along.from, 0)) {}

  void start() override {
    in_.start();
    out_.start();
  }
  void ready(int p) override { out_.ready(p); }
  void finish() override {
    in_.wait();
    out_.wait();
  }

  int num_arrived() override {
    int arrived = 0;
    for (int p = 0; p < along_.partitions; ++p)
      arrived += in_.arrived(p) ? 1 : 0;
    return arrived;
  }

private:
  route along_;
  seam::partitioned_operation out_, in_;
};

} // namespace

std::unique_ptr<way> make_partitioned(route const& along) {
  return std::make_unique<partitioned>(along);
}

} // namespace partitioned_bench
