#include "ringlab/cuda/transport/rendezvous.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <thread>
#include <vector>

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::cuda;
using namespace std::chrono_literals;

namespace {

std::optional<LaunchPlace> place_in(const std::map<std::string, std::string>& environment) {
  return launch_place([&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

// A port of the loopback that is free just now, and a connection to one.
struct Loopback {
  int handle = socket(AF_INET, SOCK_STREAM, 0);
  ~Loopback() { close(handle); }
  sockaddr_in address(int port) const {
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_port = htons(static_cast<std::uint16_t>(port));
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
  }
};

int free_port() {
  Loopback l;
  sockaddr_in address = l.address(0);
  socklen_t size = sizeof(address);
  REQUIRE(bind(l.handle, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(getsockname(l.handle, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  return ntohs(address.sin_port);
}

}  // namespace

TEST_CASE("a process that nobody launched has no place") {
  CHECK_FALSE(place_in({}));
  CHECK_FALSE(place_in({{"WORLD_SIZE", "4"}}));
}

TEST_CASE("launchers tell a process its place") {
  const auto torch = place_in({{"RANK", "9"},
                               {"WORLD_SIZE", "16"},
                               {"LOCAL_RANK", "1"},
                               {"MASTER_ADDR", "node0"},
                               {"MASTER_PORT", "1234"},
                               {"TORCHELASTIC_RUN_ID", "none"}});
  REQUIRE(torch);
  CHECK(torch->rank == 9);
  CHECK(torch->size == 16);
  CHECK(torch->local_rank == 1);
  CHECK(torch->master_address == "node0");
  CHECK(torch->master_port == 1235);
  const auto mpi = place_in({{"OMPI_COMM_WORLD_RANK", "2"},
                             {"OMPI_COMM_WORLD_SIZE", "4"},
                             {"OMPI_COMM_WORLD_LOCAL_RANK", "2"}});
  REQUIRE(mpi);
  CHECK(mpi->rank == 2);
  CHECK(mpi->master_address == "127.0.0.1");
  CHECK(mpi->master_port == 29500);
}

TEST_CASE("a variable that is missing or wrong is named") {
  CHECK_THROWS_WITH(place_in({{"RANK", "0"}}), Catch::StartsWith("WORLD_SIZE"));
  CHECK_THROWS_WITH(place_in({{"RANK", "4"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "0"}}),
                    Catch::StartsWith("RANK"));
  CHECK_THROWS_WITH(place_in({{"RANK", "x"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "0"}}),
                    Catch::StartsWith("RANK"));
  CHECK_THROWS_WITH(
      place_in({{"RANK", "0"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "0"}, {"MASTER_PORT", "70000"}}),
      Catch::StartsWith("MASTER_PORT"));
}

TEST_CASE("all ranks get the text of rank 0, whoever comes first and whoever else calls") {
  const int port = free_port();
  const std::string text = std::string("an id\0with a zero", 17);
  std::vector<std::string> got(5);
  std::vector<std::thread> ranks;
  for (int r = 4; r >= 0; --r) {
    ranks.emplace_back([&, r] {
      if (r == 0) std::this_thread::sleep_for(100ms);
      got[static_cast<std::size_t>(r)] =
          share_from_first({r, 5, r, "127.0.0.1", port}, r == 0 ? text : "", 20000ms);
    });
    if (r == 3) {  // a stranger, who is let down
      ranks.emplace_back([&] {
        std::this_thread::sleep_for(120ms);
        Loopback l;
        const sockaddr_in a = l.address(port);
        if (connect(l.handle, reinterpret_cast<const sockaddr*>(&a), sizeof(a)) != 0) return;
        const char request[] = "GET / HTTP/1.1\r\nHost: nobody\r\n\r\n";
        (void)send(l.handle, request, sizeof(request), MSG_NOSIGNAL);
      });
    }
  }
  for (std::thread& rank : ranks) rank.join();
  for (const std::string& each : got) CHECK(each == text);
}

TEST_CASE("one rank alone needs no port") {
  CHECK(share_from_first({0, 1, 0, "nowhere", 1}, "id", 100ms) == "id");
}

TEST_CASE("ranks that do not come are named, and so is a master that does not answer") {
  const int port = free_port();
  CHECK_THROWS_WITH(share_from_first({0, 3, 0, "127.0.0.1", port}, "id", 50ms),
                    Catch::Contains("missing: 1, 2"));
  CHECK_THROWS_WITH(share_from_first({1, 3, 0, "127.0.0.1", port}, "", 50ms),
                    Catch::Contains("127.0.0.1:" + std::to_string(port)));
}
