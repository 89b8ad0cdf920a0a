// A loop of a million cheap steps, then one that takes 0.6 s, both with a bar, and a line in
// between.
#include <seam/framework/program/print.hpp>
#include <seam/framework/program/progress_bar.hpp>
#include <seam/framework/program/runtime.hpp>

#include <chrono>
#include <thread>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  {
    seam::progress bar(runtime, "quick steps", 1'000'000);
    for (int step = 0; step < 1'000'000; ++step)
      bar.advance();
  }
  seam::progress bar(runtime, "slow steps", 60);
  for (int step = 0; step < 60; ++step) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    bar.advance();
    if (step == 40)
      seam::print(runtime, "step {}\n", step);
  }
}
