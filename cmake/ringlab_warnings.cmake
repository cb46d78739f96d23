# Warnings and sanitizers, in one place for every target.
add_library(ringlab_warnings INTERFACE)
target_compile_options(ringlab_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Wno-missing-field-initializers  # designated initialisers leave the rest at their defaults
  $<$<BOOL:${RINGLAB_WERROR}>:-Werror>)
# GCC 12 sees an overlap in every inlined std::string::replace (gcc.gnu.org/PR105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(ringlab_warnings INTERFACE -Wno-restrict)
endif()

if(RINGLAB_SANITIZE)
  add_compile_options(-fsanitize=${RINGLAB_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${RINGLAB_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What the sanitizers add hides from GCC that std::regex fills its own states.
    target_compile_options(ringlab_warnings INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
