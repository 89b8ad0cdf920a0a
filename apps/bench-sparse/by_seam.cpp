// seam's SparseExchange, by a given algorithm or by the one that it chooses.
#include "way.hpp"

namespace sparse_bench {
namespace {

class by_seam final : public way {
public:
  by_seam(seam::Communicator const& over, seam::sparse_algorithm algorithm)
      : exchange_(over, {.algorithm = algorithm}) {}

  void exchange(std::vector<int> const& ranks, std::span<double const> values,
                arrivals& in) override {
    for (int to : ranks)
      exchange_.pack_bytes(to, std::as_bytes(values));
    exchange_.exchange();
    in.ranks.clear();
    in.values.clear();
    while (exchange_.receive()) {
      auto const bytes = exchange_.unpack_bytes(exchange_.bytes_left());
      in.ranks.push_back(exchange_.from());
      in.values.push_back(reinterpret_cast<double const*>(bytes.data()));
    }
  }

private:
  seam::SparseExchange exchange_;
};

} // namespace

std::unique_ptr<way> make_seam(seam::Communicator const& over, seam::sparse_algorithm algorithm) {
  return std::make_unique<by_seam>(over, algorithm);
}

} // namespace sparse_bench
