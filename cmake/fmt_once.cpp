// The compiled part of fmt, for the static build. Debian packages it as a shared library only, and as headers
// alone fmt compiles it again in every file that formats anything, which takes longer than the rest of the
// file.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
#if FMT_VERSION >= 120000
template FMT_API auto locale_ref::get<std::locale>() const -> std::locale;
#endif
namespace detail {
#if FMT_VERSION < 120000
template FMT_API auto locale_ref::get<std::locale>() const -> std::locale;
#endif
#if FMT_VERSION >= 100000
template FMT_API auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
#endif
#if FMT_VERSION >= 100000 && FMT_VERSION < 110100
template FMT_API void vformat_to(buffer<char>&, string_view, typename vformat_args<>::type, locale_ref);
#endif
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
}  // namespace detail
FMT_END_NAMESPACE
