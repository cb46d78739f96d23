#include "ringlab/cuda/transport/rendezvous.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::cuda {
namespace {

using Clock = std::chrono::steady_clock;
constexpr char kHello[] = "ringlab rendezvous 1\n";  // strangers on the port say something else
constexpr std::size_t kHelloBytes = sizeof(kHello) - 1;
constexpr std::uint32_t kMostBytes = 1 << 20;

class Socket {
 public:
  Socket() = default;
  explicit Socket(int handle) : handle_(handle) {}
  ~Socket() {
    if (handle_ >= 0) close(handle_);
  }
  Socket(Socket&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  int get() const { return handle_; }
  explicit operator bool() const { return handle_ >= 0; }

 private:
  int handle_ = -1;
};

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  return static_cast<int>(std::clamp<long long>(left.count(), 0, 1 << 30));
}

bool wait_for(const Socket& socket, short what, Clock::time_point end) {
  pollfd request{socket.get(), what, 0};
  return poll(&request, 1, milliseconds_until(end)) == 1;
}

bool send_all(const Socket& socket, const void* data, std::size_t bytes, Clock::time_point end) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    if (!wait_for(socket, POLLOUT, end)) return false;
    const ssize_t sent = send(socket.get(), at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (sent <= 0) return false;
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(const Socket& socket, void* data, std::size_t bytes, Clock::time_point end) {
  char* at = static_cast<char*>(data);
  while (bytes > 0) {
    if (!wait_for(socket, POLLIN, end)) return false;
    const ssize_t got = recv(socket.get(), at, bytes, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

// All addresses of a name; an empty name means those that one can listen at.
std::unique_ptr<addrinfo, void (*)(addrinfo*)> resolve(const std::string& host, int port) {
  addrinfo wish{};
  wish.ai_family = host.empty() ? AF_INET : AF_UNSPEC;
  wish.ai_socktype = SOCK_STREAM;
  wish.ai_flags = host.empty() ? AI_PASSIVE : 0;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.empty() ? nullptr : host.c_str(), std::to_string(port).c_str(),
                                &wish, &found);
  if (error != 0) {
    throw RunError(fmt::format("MASTER_ADDR '{}' is no address: {}", host, gai_strerror(error)));
  }
  return {found, freeaddrinfo};
}

Socket listen_at(int port) {
  const auto addresses = resolve("", port);
  std::string why = "no address";
  for (const addrinfo* a = addresses.get(); a; a = a->ai_next) {
    Socket socket(::socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol));
    if (!socket) continue;
    const int yes = 1;
    setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    if (bind(socket.get(), a->ai_addr, a->ai_addrlen) == 0 && listen(socket.get(), 1024) == 0) {
      return socket;
    }
    why = std::strerror(errno);
  }
  throw RunError(
      fmt::format("rank 0 cannot listen at MASTER_PORT {}: {}; give a free port", port, why));
}

Socket connect_once(const addrinfo* addresses) {
  for (const addrinfo* a = addresses; a; a = a->ai_next) {
    Socket socket(::socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol));
    if (socket && connect(socket.get(), a->ai_addr, a->ai_addrlen) == 0) return socket;
  }
  return {};
}

void serve(const LaunchPlace& place, const std::string& text, std::chrono::milliseconds timeout) {
  const Clock::time_point end = Clock::now() + timeout;
  const Socket door = listen_at(place.master_port);
  std::vector<bool> came(static_cast<std::size_t>(place.size), false);
  came[0] = true;
  while (std::find(came.begin(), came.end(), false) != came.end()) {
    if (!wait_for(door, POLLIN, end)) {
      std::string missing;
      for (int r = 0; r < place.size; ++r) {
        if (!came[static_cast<std::size_t>(r)]) {
          missing += fmt::format("{}{}", missing.empty() ? "" : ", ", r);
        }
      }
      throw RunError(
          fmt::format("rank 0 waited {:.1f} s at port {} for the other ranks; missing: "
                      "{}",
                      static_cast<double>(timeout.count()) * 1e-3, place.master_port, missing));
    }
    const Socket guest(accept(door.get(), nullptr, nullptr));
    if (!guest) continue;
    // A stranger shall not keep the others waiting.
    const Clock::time_point soon = std::min(end, Clock::now() + std::chrono::seconds(2));
    char hello[kHelloBytes];
    std::int32_t rank = -1;
    if (!receive_all(guest, hello, kHelloBytes, soon) ||
        std::memcmp(hello, kHello, kHelloBytes) != 0 ||
        !receive_all(guest, &rank, sizeof(rank), soon) || rank < 0 || rank >= place.size) {
      continue;
    }
    const auto bytes = static_cast<std::uint32_t>(text.size());
    if (send_all(guest, &bytes, sizeof(bytes), soon) &&
        send_all(guest, text.data(), text.size(), soon)) {
      came[static_cast<std::size_t>(rank)] = true;
    }
  }
}

std::string fetch(const LaunchPlace& place, std::chrono::milliseconds timeout) {
  const Clock::time_point end = Clock::now() + timeout;
  const auto addresses = resolve(place.master_address, place.master_port);
  while (Clock::now() < end) {
    const Socket socket = connect_once(addresses.get());
    const std::int32_t rank = place.rank;
    std::uint32_t bytes = 0;
    if (socket && send_all(socket, kHello, kHelloBytes, end) &&
        send_all(socket, &rank, sizeof(rank), end) &&
        receive_all(socket, &bytes, sizeof(bytes), end) && bytes <= kMostBytes) {
      std::string text(bytes, '\0');
      if (receive_all(socket, text.data(), text.size(), end)) return text;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // rank 0 may start later
  }
  throw RunError(
      fmt::format("rank {} got no answer from rank 0 at {}:{} in {:.1f} s; check "
                  "MASTER_ADDR and MASTER_PORT",
                  place.rank, place.master_address, place.master_port,
                  static_cast<double>(timeout.count()) * 1e-3));
}

int number(const char* text, const char* variable, int least, int most) {
  const std::string value = text;
  const bool digits =
      !value.empty() && value.size() < 10 && value.find_first_not_of("0123456789") == value.npos;
  const int parsed = digits ? std::stoi(value) : -1;
  if (parsed < least || parsed > most) {
    throw InputError(variable, fmt::format("'{}'", value),
                     fmt::format("a launcher sets it to a number from {} to {}", least, most));
  }
  return parsed;
}

}  // namespace

std::optional<LaunchPlace> launch_place(
    const std::function<const char*(const char* name)>& environment) {
  struct Names {
    const char *rank, *size, *local_rank;
  };
  for (const Names& names :
       {Names{"RANK", "WORLD_SIZE", "LOCAL_RANK"},
        Names{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"}}) {
    const char* rank = environment(names.rank);
    if (!rank) continue;
    const auto get = [&](const char* name) {
      const char* value = environment(name);
      if (!value) {
        throw InputError(name, "not set",
                         fmt::format("{} is set, so a launcher has to set this too", names.rank));
      }
      return value;
    };
    LaunchPlace place;
    place.size = number(get(names.size), names.size, 1, 65536);
    place.rank = number(rank, names.rank, 0, place.size - 1);
    place.local_rank = number(get(names.local_rank), names.local_rank, 0, place.size - 1);
    if (const char* address = environment("MASTER_ADDR")) place.master_address = address;
    if (const char* port = environment("MASTER_PORT")) {
      place.master_port = number(port, "MASTER_PORT", 1, 65534);
    }
    if (environment("TORCHELASTIC_RUN_ID")) ++place.master_port;  // torchrun listens at the first
    return place;
  }
  return std::nullopt;
}

std::optional<LaunchPlace> launch_place() {
  return launch_place([](const char* name) { return std::getenv(name); });
}

std::string share_from_first(const LaunchPlace& place, const std::string& text,
                             std::chrono::milliseconds timeout) {
  if (place.rank != 0) return fetch(place, timeout);
  if (place.size > 1) serve(place, text, timeout);
  return text;
}

}  // namespace ringlab::cuda
