#include "tilelab/lighting/records.hpp"

#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"

namespace tilelab::lighting {
namespace {
constexpr std::int64_t kGrain = 1 << 16;
}

void pack_records(const RecordFields& fields, DepthEncoding encoding, ArrayView<std::uint32_t, 1> records) {
  const std::int64_t count = records.extent(0);
  require(fields.x.extent(0) == count && fields.y.extent(0) == count && fields.copies.extent(0) == count &&
              fields.depth.extent(0) == count,
          "records", "must have the extent of x, y, copies and depth", count);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t x = fields.x(i), y = fields.y(i), copies = fields.copies(i);
    const std::uint32_t code = encode_depth(clamp_depth(fields.depth(i)), encoding);
    records(i) = x | y << kYShift | copies << kCopyShift | code << kDepthShift;
  }
}

void decode_depths(ArrayView<const std::uint32_t, 1> records, DepthEncoding encoding,
                   ArrayView<float, 1> depth, int threads) {
  require(depth.extent(0) == records.extent(0), "depth", "must have the extent of records", depth.extent(0));
  parallel_for(records.extent(0), kGrain, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) depth(i) = decode_depth(records(i) >> kDepthShift, encoding);
  });
}

void requantise_depths(ArrayView<const float, 1> depth, const DepthRange& range, DepthEncoding encoding,
                       ArrayView<float, 1> decoded, int threads) {
  require(decoded.extent(0) == depth.extent(0), "decoded", "must have the extent of depth",
          decoded.extent(0));
  parallel_for(depth.extent(0), kGrain, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const float normalised = clamp_depth((depth(i) - range.near) / range.span);
      decoded(i) = decode_depth(encode_depth(normalised, encoding), encoding);
    }
  });
}

}  // namespace tilelab::lighting
