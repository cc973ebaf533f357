# The flags that every object of the project is compiled with.
add_library(tilelab_flags INTERFACE)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

if(MSVC)
  target_compile_options(tilelab_flags INTERFACE /W4 /fp:precise)
else()
  # No contraction: a fused multiply-add would give other bits on CPUs that have it.
  # No trapping and no errno: comparisons and rounding may then be vectorised; no value changes.
  # Structs are filled by name; what is not named keeps the default of the struct.
  target_compile_options(tilelab_flags INTERFACE
    -ffp-contract=off -fno-math-errno -fno-trapping-math -Wall -Wextra -Wconversion -Wshadow
    -Wno-missing-field-initializers)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(tilelab_flags INTERFACE -march=x86-64-v2)
  endif()
endif()

# SSE4 is the baseline of x86-64-v2; Highway asks for AES as well unless told not to.
# Bits 0-6 are server variants of AVX-512 that newer Highway releases add: AVX3 serves all of them.
target_compile_definitions(tilelab_flags INTERFACE HWY_DISABLE_PCLMUL_AES HWY_DISABLED_TARGETS=0x7F)

if(TILELAB_WERROR)
  if(MSVC)
    target_compile_options(tilelab_flags INTERFACE /WX)
  else()
    target_compile_options(tilelab_flags INTERFACE -Werror)
  endif()
endif()

if(NOT TILELAB_SANITIZE MATCHES "^(OFF|address|thread)$")
  message(FATAL_ERROR "TILELAB_SANITIZE must be OFF, address or thread, got ${TILELAB_SANITIZE}")
elseif(TILELAB_SANITIZE)
  set(sanitizers ${TILELAB_SANITIZE})
  if(TILELAB_SANITIZE STREQUAL "address")
    set(sanitizers address,undefined)
  endif()
  target_compile_options(tilelab_flags INTERFACE -fsanitize=${sanitizers} -fno-sanitize-recover=all -O1 -g1)
  target_link_options(tilelab_flags INTERFACE -fsanitize=${sanitizers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Vector kernels hold thousands of temporaries; following each one's scope takes GCC minutes per file.
    # Its maybe-uninitialized warning is unreliable on instrumented code; the ordinary build keeps it.
    target_compile_options(tilelab_flags INTERFACE
      $<$<STREQUAL:${TILELAB_SANITIZE},address>:-fno-sanitize-address-use-after-scope> -Wno-maybe-uninitialized)
  endif()
endif()
