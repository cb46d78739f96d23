# ringlab_library(NAME FOLDER SOURCES... [LINKS targets...] [NOT_INSTALLED])
#
# Makes one library of one folder. Its headers are included as "ringlab/FOLDER/x.hpp" through an
# include directory that holds this folder alone, so a file can only include what its target links:
# the direction of dependencies is checked by the compiler, not by review.
function(ringlab_library name folder)
  cmake_parse_arguments(arg "NOT_INSTALLED" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  set(view "${PROJECT_BINARY_DIR}/include/${name}")
  get_filename_component(parent "${view}/ringlab/${folder}" DIRECTORY)
  if(IS_SYMLINK "${parent}")
    file(REMOVE "${parent}")  # of an earlier configuration, whose folder was one above
  endif()
  file(MAKE_DIRECTORY "${parent}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${view}/ringlab/${folder}" SYMBOLIC)

  if(arg_SOURCES)
    add_library(ringlab_${name} STATIC ${arg_SOURCES})
    target_link_libraries(ringlab_${name} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
    target_include_directories(ringlab_${name} PUBLIC
      "$<BUILD_INTERFACE:${view}>" "$<INSTALL_INTERFACE:include>")
    target_compile_features(ringlab_${name} PUBLIC cxx_std_20)
    target_link_libraries(ringlab_${name} PRIVATE $<BUILD_INTERFACE:ringlab_warnings>)
  else()
    add_library(ringlab_${name} INTERFACE)
    target_link_libraries(ringlab_${name} INTERFACE ${arg_LINKS})
    target_include_directories(ringlab_${name} INTERFACE
      "$<BUILD_INTERFACE:${view}>" "$<INSTALL_INTERFACE:include>")
  endif()
  add_library(ringlab::${name} ALIAS ringlab_${name})
  set_target_properties(ringlab_${name} PROPERTIES EXPORT_NAME ${name})
  if(RINGLAB_INSTALL AND NOT arg_NOT_INSTALLED)
    install(TARGETS ringlab_${name} EXPORT ringlabTargets)
    # Without what only the sources need: parts of one kernel, and the adapters to packages that the
    # installed library has already swallowed.
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/" DESTINATION "include/ringlab/${folder}"
      FILES_MATCHING PATTERN "*.hpp" PATTERN "*-inl.hpp" EXCLUDE PATTERN "detail" EXCLUDE
      REGEX "(core/philox|io/json|scenario/(fields|value))\\.hpp$" EXCLUDE)
  endif()
endfunction()
