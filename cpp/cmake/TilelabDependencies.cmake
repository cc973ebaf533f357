# Finds the three header libraries of the core: installed ones first, then (if allowed) pinned downloads.
include(FetchContent)

if(NOT TILELAB_FETCH_DEPS MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TILELAB_FETCH_DEPS must be AUTO, ON or OFF, got ${TILELAB_FETCH_DEPS}")
endif()

function(tilelab_explain_missing library reason)
  message(FATAL_ERROR
    "tilelab needs ${library}, but ${reason}.\n"
    "Install the three header libraries:\n"
    "  Debian, Ubuntu:  apt-get install libeigen3-dev libxtensor-dev libhwy-dev\n"
    "  conda:           conda install -c conda-forge eigen xtensor libhwy\n"
    "  vcpkg:           vcpkg install eigen3 xtensor highway\n"
    "or configure with -DTILELAB_FETCH_DEPS=AUTO on a machine with network access.")
endfunction()

# tilelab_download(<content> <url> <sha256>): fetches an archive whose hash must match and adds its project.
# The archive is fetched here, not by FetchContent, so that a failure ends in the explanation above.
macro(tilelab_download content url sha256)
  string(TOUPPER ${content} content_upper)
  if(NOT FETCHCONTENT_SOURCE_DIR_${content_upper})
    set(archive "${CMAKE_BINARY_DIR}/downloads/${content}.tar.gz")
    message(STATUS "tilelab: downloading ${url}")
    file(DOWNLOAD ${url} ${archive} TIMEOUT 300 STATUS status)
    list(GET status 0 code)
    if(code)
      list(GET status 1 text)
      tilelab_explain_missing(${content} "it is not installed and the download failed (${text})")
    endif()
    FetchContent_Declare(${content} URL ${archive} URL_HASH SHA256=${sha256} DOWNLOAD_EXTRACT_TIMESTAMP ON)
  else()
    FetchContent_Declare(${content} SOURCE_DIR "${FETCHCONTENT_SOURCE_DIR_${content_upper}}")
  endif()
  FetchContent_MakeAvailable(${content})
endmacro()

macro(tilelab_find package target)
  if(NOT TILELAB_FETCH_DEPS STREQUAL "ON")
    find_package(${package} QUIET)
  endif()
  if(TARGET ${target})
    set(${package}_ORIGIN installed)
  elseif(TILELAB_FETCH_DEPS STREQUAL "OFF")
    tilelab_explain_missing(${package} "it is not installed and TILELAB_FETCH_DEPS is OFF")
  else()
    set(${package}_ORIGIN downloaded)
  endif()
endmacro()

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(BUILD_TESTING OFF)
set(EIGEN_BUILD_DOC OFF)
foreach(part TESTS EXAMPLES CONTRIB INSTALL)
  set(HWY_ENABLE_${part} OFF CACHE BOOL "" FORCE)
endforeach()

tilelab_find(Eigen3 Eigen3::Eigen)
if(Eigen3_ORIGIN STREQUAL "downloaded")
  set(Eigen3_VERSION 3.4.0)
  tilelab_download(eigen https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.gz
    8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72)
endif()

tilelab_find(xtensor xtensor)
if(xtensor_ORIGIN STREQUAL "downloaded")
  set(xtensor_VERSION 0.27.1)
  tilelab_download(xtl https://github.com/xtensor-stack/xtl/archive/refs/tags/0.8.1.tar.gz
    e69a696068ccffd2b435539d583665981b6c6abed596a72832bffbe3e13e1f49)
  tilelab_download(xtensor https://github.com/xtensor-stack/xtensor/archive/refs/tags/0.27.1.tar.gz
    117c192ae3b7c37c0156dedaa88038e0599a6b264666c3c6c2553154b500fe23)
endif()

tilelab_find(hwy hwy::hwy)
if(hwy_ORIGIN STREQUAL "downloaded")
  set(hwy_VERSION 1.2.0)
  tilelab_download(highway https://github.com/google/highway/archive/refs/tags/1.2.0.tar.gz
    7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343)
  if(NOT TARGET hwy::hwy)
    add_library(hwy::hwy ALIAS hwy)
  endif()
endif()

message(STATUS "tilelab dependencies: Eigen ${Eigen3_VERSION} (${Eigen3_ORIGIN}), "
  "xtensor ${xtensor_VERSION} (${xtensor_ORIGIN}), Highway ${hwy_VERSION} (${hwy_ORIGIN})")
