#include <seam/exchange/ground/processor.hpp>

#include <cstdlib>
#include <cstring>

#include <unistd.h>

// What looks at a processor must run on each of them.
#ifdef __x86_64__
#define SEAM_ON_ANY_PROCESSOR [[gnu::target("arch=x86-64")]]
#else
#define SEAM_ON_ANY_PROCESSOR
#endif

namespace seam::detail {

constinit bool processor_is_checked = false;

SEAM_ON_ANY_PROCESSOR char const* missing_of(instruction_set const* first,
                                             instruction_set const* end) noexcept {
  for (; first != end; ++first)
    if (first->is_used && !first->is_there)
      return first->name;
  return nullptr;
}

#ifdef __x86_64__
namespace {

SEAM_ON_ANY_PROCESSOR void print(char const* text) noexcept {
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, text, std::strlen(text));
}

// The compiler defines a macro as 1 for each set that its options let it use.
#define SEAM_TEXT(words) #words
#define SEAM_VALUE_OF(macro) SEAM_TEXT(macro)
#define SEAM_SET(name, macro)                                                                      \
  { name, SEAM_VALUE_OF(macro)[0] == '1', __builtin_cpu_supports(name) != 0 }

/// Runs before all other code of the program that a compiler has made with its options.
[[gnu::constructor(101)]] SEAM_ON_ANY_PROCESSOR void check_processor() {
  __builtin_cpu_init();
  instruction_set const sets[] = {SEAM_SET("sse3", __SSE3__),
                                  SEAM_SET("ssse3", __SSSE3__),
                                  SEAM_SET("sse4.1", __SSE4_1__),
                                  SEAM_SET("sse4.2", __SSE4_2__),
                                  SEAM_SET("sse4a", __SSE4A__),
                                  SEAM_SET("popcnt", __POPCNT__),
                                  SEAM_SET("aes", __AES__),
                                  SEAM_SET("pclmul", __PCLMUL__),
                                  SEAM_SET("avx", __AVX__),
                                  SEAM_SET("avx2", __AVX2__),
                                  SEAM_SET("bmi", __BMI__),
                                  SEAM_SET("bmi2", __BMI2__),
                                  SEAM_SET("fma", __FMA__),
                                  SEAM_SET("fma4", __FMA4__),
                                  SEAM_SET("xop", __XOP__),
                                  SEAM_SET("gfni", __GFNI__),
                                  SEAM_SET("vpclmulqdq", __VPCLMULQDQ__),
                                  SEAM_SET("avx512f", __AVX512F__),
                                  SEAM_SET("avx512cd", __AVX512CD__),
                                  SEAM_SET("avx512vl", __AVX512VL__),
                                  SEAM_SET("avx512bw", __AVX512BW__),
                                  SEAM_SET("avx512dq", __AVX512DQ__),
                                  SEAM_SET("avx512ifma", __AVX512IFMA__),
                                  SEAM_SET("avx512vbmi", __AVX512VBMI__),
                                  SEAM_SET("avx512vbmi2", __AVX512VBMI2__),
                                  SEAM_SET("avx512bitalg", __AVX512BITALG__),
                                  SEAM_SET("avx512vnni", __AVX512VNNI__),
                                  SEAM_SET("avx512vpopcntdq", __AVX512VPOPCNTDQ__)};
  char const* const missing = missing_of(sets, sets + sizeof sets / sizeof *sets);
  processor_is_checked = true;
  if (missing == nullptr)
    return;
  print("seam: built for processors with ");
  print(missing);
  print(", which this one lacks (expected a build on this machine, or one with -D "
        "SEAM_NATIVE=OFF)\n");
  ::_exit(EXIT_FAILURE);
}

} // namespace
#else
namespace {
[[gnu::constructor]] void check_processor() { processor_is_checked = true; }
} // namespace
#endif

} // namespace seam::detail
