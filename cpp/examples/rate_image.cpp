// From a picture to its shading-rate image, without Python: reads a binary PPM or PGM of 8 bits, prints how
// many tiles got each rate, and writes a PPM of the same size in the colours of the rates.
//
//   rate_image PICTURE.ppm RATES.ppm

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <system_error>

#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/vrs/rate_image.hpp"
#include "tilelab/vrs/shading_rate.hpp"
#include "tilelab/xtensor.hpp"

namespace {

using Picture = xt::xtensor<std::uint8_t, 3>;      // (height, width, 1 or 3)
using Rates = xt::xtensor<tilelab::vrs::Rate, 2>;  // (rows of tiles, columns of tiles)

struct NamedRate {
  tilelab::vrs::Rate rate;
  const char* name;
  std::array<std::uint8_t, 3> color;
};

constexpr NamedRate kRates[] = {{.rate = 0, .name = "1x1", .color = {255, 0, 0}},
                                {.rate = 4, .name = "2x1", .color = {0, 255, 255}},
                                {.rate = 1, .name = "1x2", .color = {255, 255, 0}},
                                {.rate = 5, .name = "2x2", .color = {0, 0, 0}}};

constexpr std::size_t kLargestSide = 65536;

// The next number of the header; comments run from # to the end of their line.
std::size_t header_number(std::istream& file, const char* name, std::size_t least, std::size_t largest) {
  while ((file >> std::ws).peek() == '#') file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  std::string digits;
  while (digits.size() < 20 && std::isdigit(file.peek()) != 0) digits += static_cast<char>(file.get());
  std::size_t number = 0;
  const bool fits = std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc();
  const std::string range = least == largest
                                ? std::to_string(least)
                                : "in [" + std::to_string(least) + ", " + std::to_string(largest) + "]";
  tilelab::require(fits && number >= least && number <= largest, name, ("must be " + range).c_str(),
                   digits.empty() ? "no number" : digits);
  return number;
}

Picture read_picture(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  tilelab::require(file.is_open(), "PICTURE", "must be a file that can be read", path);
  std::string magic(2, ' ');
  file.read(magic.data(), 2);
  const bool text =
      std::all_of(magic.begin(), magic.end(), [](unsigned char c) { return std::isgraph(c) != 0; });
  tilelab::require(file && (magic == "P5" || magic == "P6"), "PICTURE",
                   "must begin with P5 or P6 (binary PGM or PPM)", text ? magic : "other bytes");
  const std::size_t width = header_number(file, "width", 1, kLargestSide);
  const std::size_t height = header_number(file, "height", 1, kLargestSide);
  header_number(file, "largest value", 255, 255);
  file.get();  // one white space ends the header

  // What the file does not hold is not allocated.
  const std::size_t channels = magic == "P6" ? 3 : 1, bytes = height * width * channels;
  const std::streamoff begin = file.tellg();
  const std::streamoff end = file.seekg(0, std::ios::end).tellg();
  const std::string rule = "must hold " + std::to_string(bytes) + " bytes after its header";
  tilelab::require(file && static_cast<std::size_t>(end - begin) >= bytes, "PICTURE", rule.c_str(),
                   end - begin);
  file.seekg(begin);
  auto picture = Picture::from_shape({height, width, channels});
  file.read(reinterpret_cast<char*>(picture.data()), static_cast<std::streamsize>(bytes));
  tilelab::require(file.good(), "PICTURE", "must be a file that can be read", path);
  return picture;
}

void write_picture(const std::string& path, const Picture& picture) {
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << picture.shape(1) << " " << picture.shape(0) << "\n255\n";
  file.write(reinterpret_cast<const char*>(picture.data()), static_cast<std::streamsize>(picture.size()));
  tilelab::require(file.flush().good(), "RATES", "must be a file that can be written", path);
}

Rates rates_of(const Picture& picture, const tilelab::vrs::RateImageOptions& options) {
  const auto tile = static_cast<std::size_t>(options.tile);
  auto rates = Rates::from_shape(
      {tilelab::ceil_div(picture.shape(0), tile), tilelab::ceil_div(picture.shape(1), tile)});
  tilelab::vrs::rate_image(tilelab::view_of(picture), options, {}, tilelab::view_of(rates), {},
                           /*threads=*/0);
  return rates;
}

// Every pixel in the colour of its tile.
Picture painted(const Rates& rates, std::size_t height, std::size_t width, std::size_t tile) {
  auto picture = Picture::from_shape({height, width, 3});
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const tilelab::vrs::Rate rate = rates(y / tile, x / tile);
      const auto* named = std::find_if(std::begin(kRates), std::end(kRates),
                                       [&](const NamedRate& candidate) { return candidate.rate == rate; });
      std::copy(named->color.begin(), named->color.end(), &picture(y, x, 0));
    }
  }
  return picture;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: rate_image PICTURE.ppm RATES.ppm\n";
    return 2;
  }
  try {
    const Picture picture = read_picture(argv[1]);
    const tilelab::vrs::RateImageOptions options = {.tile = 8, .threshold = 0.1f};
    const Rates rates = rates_of(picture, options);
    for (const NamedRate& named : kRates) {
      std::cout << named.name << " " << std::count(rates.begin(), rates.end(), named.rate) << "\n";
    }
    write_picture(argv[2],
                  painted(rates, picture.shape(0), picture.shape(1), static_cast<std::size_t>(options.tile)));
  } catch (const std::exception& error) {
    std::cerr << "rate_image: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
