# tilelab_use_goldens(<target> <source>): lets a source of a test program read the right answers below tests/golden.
# xtensor reads .npy files; an .npz is a zip of them, which CMake unpacks itself: so no zip library is needed.
function(tilelab_use_goldens target source)
  set(goldens "${CMAKE_CURRENT_SOURCE_DIR}/tests/golden")
  set(unpacked "${CMAKE_CURRENT_BINARY_DIR}/golden")
  file(GLOB_RECURSE archives CONFIGURE_DEPENDS RELATIVE "${goldens}" "${goldens}/*.npz")
  set(stamps)
  foreach(archive IN LISTS archives)
    set(folder "${unpacked}/${archive}")
    add_custom_command(
      OUTPUT "${folder}.stamp"
      COMMAND "${CMAKE_COMMAND}" -E rm -rf "${folder}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
      COMMAND "${CMAKE_COMMAND}" -E chdir "${folder}" "${CMAKE_COMMAND}" -E tar xf "${goldens}/${archive}"
      COMMAND "${CMAKE_COMMAND}" -E touch "${folder}.stamp"
      DEPENDS "${goldens}/${archive}"
      COMMENT "Unpacking ${archive}"
      VERBATIM)
    list(APPEND stamps "${folder}.stamp")
  endforeach()
  add_custom_target(${target}_goldens DEPENDS ${stamps})
  add_dependencies(${target} ${target}_goldens)
  # Only that source knows the paths: the others stay the same for the compiler's cache, wherever the tree lies.
  set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_DEFINITIONS
    TILELAB_GOLDEN_DIR="${goldens}" TILELAB_GOLDEN_UNPACKED_DIR="${unpacked}")
endfunction()
