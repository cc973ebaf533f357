# Finds the three header libraries of the core, installed first, then (if allowed) as pinned downloads.
include(FetchContent)

if(NOT TILELAB_FETCH_DEPS MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TILELAB_FETCH_DEPS must be AUTO, ON or OFF, got ${TILELAB_FETCH_DEPS}")
endif()

FetchContent_Declare(eigen URL https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.gz
  URL_HASH SHA256=8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72)
FetchContent_Declare(xtl GIT_REPOSITORY https://github.com/xtensor-stack/xtl GIT_TAG 0.8.1)
FetchContent_Declare(xtensor GIT_REPOSITORY https://github.com/xtensor-stack/xtensor GIT_TAG 0.27.1)
FetchContent_Declare(highway GIT_REPOSITORY https://github.com/google/highway GIT_TAG 1.2.0)

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

# tilelab_dependency(<label> <find_package arguments> <target> <content...>)
macro(tilelab_dependency label package target)
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
    string(APPEND TILELAB_DEPENDENCY_ORIGINS " ${label}: pinned download;")
  endif()
endmacro()

set(HWY_ENABLE_TESTS OFF CACHE BOOL "" FORCE)
set(HWY_ENABLE_EXAMPLES OFF CACHE BOOL "" FORCE)
set(HWY_ENABLE_CONTRIB OFF CACHE BOOL "" FORCE)
set(HWY_ENABLE_INSTALL OFF CACHE BOOL "" FORCE)
set(EIGEN_BUILD_DOC OFF CACHE BOOL "" FORCE)
set(EIGEN_BUILD_TESTING OFF CACHE BOOL "" FORCE)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

tilelab_dependency("Eigen" Eigen3 Eigen3::Eigen eigen)
tilelab_dependency("xtensor" xtensor xtensor xtl xtensor)
tilelab_dependency("Highway" hwy hwy::hwy highway)
message(STATUS "tilelab dependencies:${TILELAB_DEPENDENCY_ORIGINS}")
