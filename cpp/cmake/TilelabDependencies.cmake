# Finds the three header libraries of the core, installed first, then (if allowed) as pinned downloads.
include(FetchContent)

if(NOT TILELAB_FETCH_DEPS MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TILELAB_FETCH_DEPS must be AUTO, ON or OFF, got ${TILELAB_FETCH_DEPS}")
endif()

# Pinned releases. The archives' hashes are checked, so another file under the same name is refused.
set(TILELAB_EIGEN_VERSION 3.4.0)
set(TILELAB_XTL_VERSION 0.8.1)
set(TILELAB_XTENSOR_VERSION 0.27.1)
set(TILELAB_HIGHWAY_VERSION 1.2.0)
FetchContent_Declare(eigen
  URL https://gitlab.com/libeigen/eigen/-/archive/${TILELAB_EIGEN_VERSION}/eigen-${TILELAB_EIGEN_VERSION}.tar.gz
  URL_HASH SHA256=8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72
  DOWNLOAD_EXTRACT_TIMESTAMP ON)
FetchContent_Declare(xtl
  URL https://github.com/xtensor-stack/xtl/archive/refs/tags/${TILELAB_XTL_VERSION}.tar.gz
  URL_HASH SHA256=e69a696068ccffd2b435539d583665981b6c6abed596a72832bffbe3e13e1f49
  DOWNLOAD_EXTRACT_TIMESTAMP ON)
FetchContent_Declare(xtensor
  URL https://github.com/xtensor-stack/xtensor/archive/refs/tags/${TILELAB_XTENSOR_VERSION}.tar.gz
  URL_HASH SHA256=117c192ae3b7c37c0156dedaa88038e0599a6b264666c3c6c2553154b500fe23
  DOWNLOAD_EXTRACT_TIMESTAMP ON)
FetchContent_Declare(highway
  URL https://github.com/google/highway/archive/refs/tags/${TILELAB_HIGHWAY_VERSION}.tar.gz
  URL_HASH SHA256=7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343
  DOWNLOAD_EXTRACT_TIMESTAMP ON)

set(TILELAB_DEPENDENCY_ORIGINS "")

function(tilelab_explain_missing library reason)
  message(FATAL_ERROR
    "tilelab needs ${library} and ${reason}.\n"
    "Install the three header libraries:\n"
    "  Debian, Ubuntu:  apt-get install libeigen3-dev libxtensor-dev libhwy-dev\n"
    "  conda:           conda install -c conda-forge eigen xtensor libhwy\n"
    "  vcpkg:           vcpkg install eigen3 xtensor highway\n"
    "or configure with -DTILELAB_FETCH_DEPS=AUTO on a machine with network access.")
endfunction()

# tilelab_dependency(<label> <package> <target> <pinned version> <content...>)
macro(tilelab_dependency label package target pinned)
  if(NOT TILELAB_FETCH_DEPS STREQUAL "ON")
    find_package(${package} QUIET)
  endif()
  if(TARGET ${target})
    string(APPEND TILELAB_DEPENDENCY_ORIGINS " ${label}: ${${package}_VERSION} (installed);")
  elseif(TILELAB_FETCH_DEPS STREQUAL "OFF")
    tilelab_explain_missing(${label} "it is not installed and TILELAB_FETCH_DEPS is OFF")
  else()
    message(STATUS "tilelab: downloading ${label}")
    FetchContent_MakeAvailable(${ARGN})
    if(NOT TARGET ${target})
      tilelab_explain_missing(${label} "the download did not provide it")
    endif()
    set(${package}_VERSION ${pinned})
    string(APPEND TILELAB_DEPENDENCY_ORIGINS " ${label}: ${pinned} (downloaded);")
  endif()
endmacro()

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(BUILD_TESTING OFF)
set(EIGEN_BUILD_DOC OFF)
foreach(part TESTS EXAMPLES CONTRIB INSTALL)
  set(HWY_ENABLE_${part} OFF CACHE BOOL "" FORCE)
endforeach()

tilelab_dependency("Eigen" Eigen3 Eigen3::Eigen ${TILELAB_EIGEN_VERSION} eigen)
tilelab_dependency("xtensor" xtensor xtensor ${TILELAB_XTENSOR_VERSION} xtl xtensor)
tilelab_dependency("Highway" hwy hwy::hwy ${TILELAB_HIGHWAY_VERSION} highway)
message(STATUS "tilelab dependencies:${TILELAB_DEPENDENCY_ORIGINS}")
