// The program that docs/sparse.md shows.
//
//     mpiexec -n 3 sparse
//     1000 particles, mean place 0.498371
#include <seam/program.hpp>
#include <seam/sparse.hpp>
#include <seam/sum.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

struct particle {
  double place, speed;
};

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  int const rank = runtime.rank(), size = runtime.size();

  // Each rank owns the particles in its part of the unit interval, whose ends meet.
  auto const owner = [size](particle const& p) { return std::min(int(p.place * size), size - 1); };
  std::vector<particle> own;
  for (int id = 0; id < 1000; ++id)
    if (particle const p{id / 1000.0, std::sin(id)}; owner(p) == rank)
      own.push_back(p);

  seam::SparseExchange exchange(runtime);
  for (int step = 0; step < 100; ++step) {
    std::vector<particle> staying;
    for (particle p : own) {
      p.place += 0.1 * p.speed;
      p.place -= std::floor(p.place);
      if (owner(p) == rank)
        staying.push_back(p);
      else
        exchange.pack(owner(p), p);
    }
    exchange.exchange();
    while (exchange.receive()) // once for each particle
      staying.push_back(exchange.unpack<particle>());
    own = staying;
  }

  std::vector<double> places;
  for (particle const& p : own)
    places.push_back(p.place);
  seam::print(runtime, "{} particles, mean place {:.6f}\n", seam::sum(runtime, std::ssize(own)),
              seam::sum(runtime, places) / 1000);
}
