// SHA-256 (FIPS 180-4), for the digests in logs and bundles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dwarfsweep {

class Sha256 {
 public:
  void add(std::string_view bytes);
  /// In hexadecimal. Nothing can be added after it.
  [[nodiscard]] std::string finish();

 private:
  static constexpr std::size_t block_bytes = 64;

  void compress(const unsigned char* block);

  // The first 32 bits of the fractional parts of the square roots of the first eight primes.
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, block_bytes> begun_{};  // a block that is not complete
  std::uint64_t bytes_ = 0;
};

inline std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.finish();
}

}  // namespace dwarfsweep
