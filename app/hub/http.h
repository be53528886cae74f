// One GET by HTTP, with limits on everything that a server decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace headlight {

struct HttpRequest {
  std::string url;
  std::string token;          ///< sent to the host of `url` only, never to one that it redirects to
  std::uint64_t offset = 0;   ///< above 0: only the bytes from here on (Range)
  std::string if_range = {};  ///< and only where the file still has this ETag
};

/// The head of an answer.
struct HttpHead {
  long status = 0;
  std::string etag;                          ///< without quotes; of the last host
  std::string linked_etag;                   ///< X-Linked-Etag, of the first host that sends one
  std::optional<std::uint64_t> length;       ///< of the body that follows
  std::optional<std::uint64_t> range_begin;  ///< of an answer to a Range
  std::optional<double> retry_after;         ///< seconds
  bool is_packed = false;                    ///< Content-Encoding, which was not asked for
};

/// Takes an answer. Either may throw: the request ends, and http_get throws the same.
struct HttpSink {
  std::function<void(const HttpHead&)> begin;  ///< once, before the body; for status 200 and 206 only
  std::function<void(std::span<const std::byte>)> take;
};

/// The outcome of a request. `problem` is empty if the whole body was handed to the sink.
struct HttpResult {
  HttpHead head;
  std::string problem;
  bool may_be_retried = false;  ///< the connection was lost, or the server is busy
};

/// Follows at most five redirects, to http and https only and never from https to http. TLS certificates are always checked. Gives up when
/// nothing comes for 6 seconds. `check` is called at least every 100 ms and may throw to cancel.
HttpResult http_get(const HttpRequest& request, const HttpSink& sink, const std::function<void()>& check);

/// Waits, `check`ing meanwhile; at most 30 seconds, whatever a server asks for.
void wait_to_retry(double seconds, const std::function<void()>& check);

}  // namespace headlight
