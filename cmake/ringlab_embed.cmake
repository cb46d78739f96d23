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

# ringlab_glob(OUT PATTERNS...)
#
# The files of the current folder that match, by absolute path. CMake runs again when a file comes or
# goes, because the folders' own times are watched: GLOB's CONFIGURE_DEPENDS would do so at every build,
# and a build with nothing to do would never say so.
function(ringlab_glob out)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  file(GLOB files LIST_DIRECTORIES FALSE ${ARGN})
  set(folders "${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(file IN LISTS files)
    get_filename_component(folder "${file}" DIRECTORY)
    list(APPEND folders "${folder}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folders})
  set(${out} ${files} PARENT_SCOPE)
endfunction()
