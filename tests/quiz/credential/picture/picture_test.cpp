// The pictures as files: whole, of the right size, with the credential in them;
// and drawn, not empty. How they look is for the eye: RINGLAB_SHOW=FOLDER keeps them.
#include "ringlab/quiz/credential/picture/picture.hpp"

#include <cairo.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>

#include "ringlab/quiz/credential/bake.hpp"
#include "ringlab/quiz/credential/verify.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "tests/catch.hpp"
#include "tests/quiz/credential/passed_run.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;
using namespace ringlab::quiz::test;

const SigningKey& key() {
  static const SigningKey made = SigningKey::generate();
  return made;
}

Certificate certificate(const std::string& name, const std::string& issuer = "Hodan Cali") {
  return certificate_of(exam_bank(), finished_run(), name, key().public_key(), issuer, kNow);
}

// Read by the PNG library, which knows nothing of how the chunk was put in.
struct Pixels {
  int width = 0, height = 0, colours = 0;
};
Pixels decode(const std::string& png) {
  struct Rest {
    const std::string* text;
    std::size_t at;
  } rest{&png, 0};
  const auto read = [](void* from, unsigned char* data, unsigned size) {
    Rest& left = *static_cast<Rest*>(from);
    if (left.text->size() - left.at < size) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(data, left.text->data() + left.at, size);
    left.at += size;
    return CAIRO_STATUS_SUCCESS;
  };
  cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(read, &rest);
  Pixels pixels;
  if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
    pixels.width = cairo_image_surface_get_width(surface);
    pixels.height = cairo_image_surface_get_height(surface);
    std::set<std::uint32_t> colours;
    const unsigned char* data = cairo_image_surface_get_data(surface);
    for (int y = 0; y < pixels.height; y += 4) {
      const auto* row = reinterpret_cast<const std::uint32_t*>(
          data + static_cast<std::ptrdiff_t>(y) * cairo_image_surface_get_stride(surface));
      colours.insert(row, row + pixels.width);
    }
    pixels.colours = static_cast<int>(colours.size());
  }
  cairo_surface_destroy(surface);
  return pixels;
}

void show(const std::string& name, const std::string& content) {
  if (const char* folder = std::getenv("RINGLAB_SHOW")) {
    write_file(std::string(folder) + "/" + name, content, "picture");
  }
}

TEST_CASE("pictures in every language, with names in Latin and Ethiopic letters") {
  struct Case {
    const char *file, *name, *language;
    bool self_issued;
  };
  for (const Case& one :
       {Case{"en", "Hodan Warsame", "en", true}, Case{"en_issued", "Hodan Warsame", "en", false},
        Case{"am", "አበበ በቂላ ወልደማርያም", "am", true}, Case{"en_amharic_name", "ጽጌረዳ አስፋው", "en", true},
        Case{"so", "Cabdiraxmaan Xuseen Nuur", "so", true}}) {
    CAPTURE(one.file);
    const Certificate made =
        certificate(one.name, one.self_issued ? one.name : "School of Long Sequences, Hargeysa");
    const std::string png = picture_png(exam_bank(), made, {one.language, one.self_issued});
    const Pixels pixels = decode(png);
    CHECK(pixels.width == 2526);
    CHECK(pixels.height == 1786);
    CHECK(pixels.colours > 1000);
    const std::string json = signed_json(made, key());
    const std::string baked = bake_png(png, json);
    CHECK(decode(baked).width == 2526);
    CHECK(verify_certificate(exam_bank(), baked, {{}, {}, kNow}).good());
    show(std::string(one.file) + ".png", baked);

    const std::string svg = picture_svg(exam_bank(), made, {one.language, one.self_issued});
    CHECK(verify_certificate(exam_bank(), bake_svg(svg, json), {{}, {}, kNow}).good());
    show(std::string(one.file) + ".svg", bake_svg(svg, json));
  }
}

TEST_CASE("long names shrink to fit; characters without a font are refused, not drawn as boxes") {
  std::string longest;
  for (int i = 0; i < 100; ++i) longest += i % 12 == 11 ? ' ' : 'W';
  CHECK_NOTHROW(picture_svg(exam_bank(), certificate(longest), {}));
  // A private-use character: no font draws it.
  CHECK_THROWS_AS(picture_svg(exam_bank(), certificate("\xf3\xb0\x80\x80"), {}), InputError);
  CHECK_THROWS_AS(picture_svg(exam_bank(), certificate("Hodan"), {"fr", true}), InputError);
}

TEST_CASE("a name is composed: an accent typed apart gives the same name") {
  CHECK(composed_name("Caf\x65\xcc\x81") == "Caf\xc3\xa9");
  CHECK(composed_name("አበበ") == "አበበ");
  CHECK_THROWS_AS(composed_name("\xff\xfe"), InputError);
}

}  // namespace
