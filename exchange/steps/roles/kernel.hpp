/// How kernels are written: as lambdas that compilers for devices take, too.
///
///     step.each("spread", updates(u, star(1)), SEAM_KERNEL(auto u) { u = 0.5 * (u(1) + u(-1)); });
///
/// A kernel captures copies, of numbers, pointers and structs of these: its bytes may travel to
/// another memory. What it calls is marked KOKKOS_INLINE_FUNCTION. Compilers of CUDA refuse it in a
/// private member function, in a function with an auto parameter or result, and where it captures
/// another lambda.
#pragma once

#include <type_traits>

/// Begins a kernel: its parameters and its body follow.
#ifdef __CUDACC__
#define SEAM_KERNEL [=] __device__
#else
#define SEAM_KERNEL [=]
#endif

namespace seam::detail {

/// True if a copy of its bytes is a copy of a kernel. (Closures that have been in a std::tuple are
/// not trivially copyable for g++ 12, and are for clang.)
template <class Kernel>
inline constexpr bool travels_by_bytes =
    std::is_trivially_copy_constructible_v<Kernel> && std::is_trivially_destructible_v<Kernel>;

} // namespace seam::detail
