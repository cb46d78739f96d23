# ringlab_embed(TARGET NAMESPACE FILES...)
#
# Adds data files of the current folder to a library, so that the program finds them wherever it is
# installed or run from. The library's own header declares what the made source defines:
#
#   namespace NAMESPACE { std::span<const EmbeddedFile> embedded_files(); }
add_executable(ringlab_embed "${PROJECT_SOURCE_DIR}/cmake/embed.cpp")

function(ringlab_embed target namespace)
  list(SORT ARGN)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp")
  add_custom_command(OUTPUT "${source}"
    COMMAND ringlab_embed "${source}" "${namespace}" "${CMAKE_CURRENT_SOURCE_DIR}" ${ARGN}
    DEPENDS ringlab_embed ${ARGN}
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
endfunction()
