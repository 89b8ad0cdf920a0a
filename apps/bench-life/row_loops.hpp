/// Loops over rows, compiled for several processors as seam-life's are, so that rivals have the same
/// instructions.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LIFE_BENCH_CLONES [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define LIFE_BENCH_CLONES
#endif
