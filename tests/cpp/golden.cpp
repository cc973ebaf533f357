#include "golden.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#if __has_include(<xtensor/io/xnpy.hpp>)
#include <xtensor/io/xnpy.hpp>
#else
#include <xtensor/xnpy.hpp>
#endif

namespace tilelab::golden {
namespace {

std::filesystem::path existing(const char* folder, const std::string& file) {
  std::filesystem::path path = std::filesystem::path(folder) / file;
  if (!std::filesystem::exists(path)) throw std::runtime_error("golden " + file + " is missing");
  return path;
}

}  // namespace

nlohmann::json json(const std::string& file) {
  std::ifstream stream(existing(TILELAB_GOLDEN_DIR, file));
  return nlohmann::json::parse(stream);
}

template <typename T>
Elements<T> elements(const std::string& archive, const std::string& member, std::size_t axes) {
  // The build unpacked the archive. One that is gone since then must be noticed as well.
  existing(TILELAB_GOLDEN_DIR, archive);
  const auto found = xt::load_npy<T, xt::layout_type::row_major>(
      existing(TILELAB_GOLDEN_UNPACKED_DIR, archive + "/" + member + ".npy").string());
  if (found.dimension() != axes) {
    throw std::runtime_error("golden " + archive + ": " + member + " must have " + std::to_string(axes) +
                             " axes, got " + std::to_string(found.dimension()));
  }
  Elements<T> result = {.shape = {found.shape().begin(), found.shape().end()},
                        .values = xt::xtensor<T, 1>::from_shape({found.size()})};
  std::copy_n(found.data(), found.size(), result.values.data());
  return result;
}

template Elements<bool> elements(const std::string&, const std::string&, std::size_t);
template Elements<std::uint8_t> elements(const std::string&, const std::string&, std::size_t);
template Elements<std::uint16_t> elements(const std::string&, const std::string&, std::size_t);
template Elements<std::uint32_t> elements(const std::string&, const std::string&, std::size_t);
template Elements<std::uint64_t> elements(const std::string&, const std::string&, std::size_t);
template Elements<std::int32_t> elements(const std::string&, const std::string&, std::size_t);
template Elements<std::int64_t> elements(const std::string&, const std::string&, std::size_t);
template Elements<float> elements(const std::string&, const std::string&, std::size_t);
template Elements<double> elements(const std::string&, const std::string&, std::size_t);

}  // namespace tilelab::golden
