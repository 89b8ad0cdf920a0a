// seam-bench-partitioned measures what partitioned messages cost when all partitions are ready at
// once, and what they gain when these become ready one by one, beside other messages in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-partitioned
//
// Expected: a table of one line for each question and variant; x rival at most about 1 where
// partitions are ready together, below 1 where the receiver has time for those that are ready
// early.
#include "way.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <chrono>

namespace partitioned_bench {
namespace {

struct options {
  std::vector<int> bytes{1024, 16384, 262144, 4194304}; ///< lengths of buffers
  int partitions = 4;
  double work = 1; ///< work of an epoch, in units of the time of a bulk exchange
  int repetitions = 50;
  std::string csv;
};

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-partitioned
  mpiexec -n 2 --bind-to core seam-bench-partitioned --partitions 32 --bytes 1048576
  OMP_NUM_THREADS=4 mpiexec -n 2 seam-bench-partitioned --partitions 16

'ring': every rank sends to the next one and receives from the one before. 'one-way': ranks 0, 2, ...
send to ranks 1, 3, ..., which have nothing else to do.
'together': all partitions are ready at once; 'laggard': all but the last are ready at once, and the last after all the work.)";

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Compares partitioned messages with others.");
  cli.add("--bytes", wanted.bytes, "of all partitions together").between(1, 1 << 30, "N");
  cli.add("--partitions", wanted.partitions, "of each buffer").between(1, 4000);
  cli.add("--work", wanted.work, "of an epoch, as long as so many bulk exchanges take")
      .between(0.0, 1e6);
  bench::add_output(cli, wanted.repetitions, wanted.csv);
  cli.end_help(examples);
}

using seconds = std::chrono::duration<double>;

enum class direction { ring, one_way };
constexpr std::array names_of_directions{"ring", "one-way"};

/// The order in which the partitions of an epoch become ready.
enum class course {
  together, ///< all at once
  laggard   ///< all but the last at once, and the last after all of the work
};
constexpr std::array names_of_courses{"together", "laggard"};

route make_route(seam::Communicator const& world, direction where, std::span<std::byte> out,
                 std::span<std::byte> in, int partitions) {
  int const rank = world.rank(), size = world.size();
  if (where == direction::ring)
    return {world, (rank + 1) % size, (rank + size - 1) % size, partitions, out, in};
  bool const sends = rank % 2 == 0;
  return {world,
          sends && rank + 1 < size ? rank + 1 : MPI_PROC_NULL,
          sends ? MPI_PROC_NULL : rank - 1,
          partitions,
          out,
          in};
}

/// Does the work before partition `p` is ready, and writes a byte of each of its cache lines without
/// changing its value, as if the data had just been computed. Without effect on ranks that do not send.
/// @param all  work of an epoch
void produce(route const& along, course how, int p, seconds all) {
  if (!along.sends())
    return;
  if (how == course::laggard && p + 1 == along.partitions)
    for (auto const end = std::chrono::steady_clock::now() + all;
         std::chrono::steady_clock::now() < end;)
      ;
  constexpr int cache_line = 64;
  int const length = along.partition_bytes();
  for (int k = 0; k < length; k += cache_line) {
    std::byte volatile& written = along.out[p * length + k];
    written = written;
  }
}

/// Calls act(p) for each partition, on all threads.
template <class Act>
void on_all_threads(int partitions, Act const& act) {
  using threads = Kokkos::DefaultHostExecutionSpace;
  if (threads().concurrency() == 1)
    for (int p = 0; p < partitions; ++p)
      act(p);
  else
    Kokkos::parallel_for("partitions",
                         Kokkos::RangePolicy<threads, Kokkos::Schedule<Kokkos::Dynamic>>(
                             0, partitions, Kokkos::ChunkSize(1)),
                         [&act](int p) { act(p); });
}

/// The buffers of this rank, and all contenders on them.
class comparison {
public:
  comparison(seam::Communicator const& world, options const& wanted, direction where,
             std::int64_t bytes)
      : wanted_(wanted), where_(where), length_(rounded(bytes, wanted.partitions)) {
    out_ = seam::allocate<std::byte>(world, length_);
    in_ = seam::allocate<std::byte>(world, length_);
    along_ = std::make_unique<route>(make_route(world, where, std::span(out_.get(), length_),
                                                std::span(in_.get(), length_), wanted.partitions));
    for (contender const& listed : contenders_)
      ways_.push_back(listed.make(*along_));
    for (int w = 0; w < std::ssize(ways_); ++w)
      require_right_bytes(w);
  }

  std::vector<seam::timing> time(course how) {
    seconds const work = wanted_.work * bulk_time();
    std::vector<seam::variant> variants;
    for (int w = 0; w < std::ssize(ways_); ++w)
      variants.push_back({contenders_[w].name, [this, w, how, work] { run(w, how, work); },
                          contenders_[w].is});
    return seam::time_in_turn(
        along_->comm,
        {.question = fmt::format("{} {} {} B", names_of_directions[static_cast<int>(where_)],
                                 names_of_courses[static_cast<int>(how)], length_),
         .bytes = length_,
         .repetitions = wanted_.repetitions},
        variants);
  }

private:
  static std::int64_t rounded(std::int64_t bytes, int partitions) {
    return std::max<std::int64_t>(bytes / partitions, 1) * partitions;
  }

  void run(int w, course how, seconds work) {
    ways_[w]->start();
    on_all_threads(along_->partitions, [&](int p) {
      produce(*along_, how, p, work);
      ways_[w]->ready(p);
    });
    ways_[w]->finish();
  }

  /// Times bulk exchanges without work; work is measured in this time.
  seconds bulk_time() {
    constexpr int bulk = 1;
    auto const found = seam::time_in_turn(
        along_->comm, {.repetitions = 20},
        {{contenders_[bulk].name, [&] { run(bulk, course::together, seconds(0)); }}});
    return seconds(found.front().median);
  }

  void require_right_bytes(int w) {
    auto const value = [](int rank, std::int64_t k) {
      return static_cast<std::byte>((k * 7 + rank) % 251);
    };
    for (std::int64_t k = 0; k < std::ssize(along_->out); ++k)
      along_->out[k] = value(along_->comm.rank(), k);
    std::ranges::fill(along_->in, std::byte{255});
    for (int epoch = 0; epoch < 10; ++epoch) // enough for seam to observe how partitions get ready
      run(w, course::together, seconds(0));
    bench::require_right(along_->comm.context(), contenders_[w].name, [&] {
      for (std::int64_t k = 0; along_->receives() && k < std::ssize(along_->in); ++k)
        if (along_->in[k] != value(along_->from, k))
          return fmt::format("byte {} is {} (expected {})", k, std::to_integer<int>(along_->in[k]),
                             std::to_integer<int>(value(along_->from, k)));
      return std::string();
    });
  }

  options const& wanted_;
  direction where_;
  std::int64_t length_;
  std::shared_ptr<std::byte[]> out_, in_;
  std::unique_ptr<route> along_;
  std::vector<contender> const contenders_ = contenders();
  std::vector<std::unique_ptr<way>> ways_;
};

void run(seam::Runtime& runtime, options const& wanted) {
  seam::benchmark_output output(runtime, wanted.csv);
  for (direction where : {direction::ring, direction::one_way})
    for (int const bytes : wanted.bytes) {
      comparison compared(runtime.world(), wanted, where, bytes);
      for (course how : {course::together, course::laggard})
        output.table.add(compared.time(how));
    }
  output.finish();
}

} // namespace
} // namespace partitioned_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, partitioned_bench::add_options, partitioned_bench::run);
}
