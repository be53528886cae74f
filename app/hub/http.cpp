#include "app/hub/http.h"

#include <curl/curl.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <exception>
#include <memory>
#include <string_view>
#include <thread>

#include "engine/core/error.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostRedirects = 5;
constexpr std::size_t kMostHeaderBytes = 256 * 1024;
constexpr int kMostHeaders = 1000;
constexpr std::chrono::seconds kPatience(6);  // without a byte of the body
constexpr long kConnectSeconds = 6;

struct EasyDeleter {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct MultiDeleter {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
struct UrlDeleter {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> to_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string unquoted(std::string_view etag) {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"') etag = etag.substr(1, etag.size() - 2);
  return std::string(etag.substr(0, 200));
}

/// The parts of an address that decide who is being asked.
struct Host {
  std::string scheme, name, port;
  bool operator==(const Host&) const = default;
};
std::optional<Host> host_of(const std::string& address) {
  const std::unique_ptr<CURLU, UrlDeleter> url(curl_url());
  if (url == nullptr || curl_url_set(url.get(), CURLUPART_URL, address.c_str(), 0) != CURLUE_OK) return std::nullopt;
  const auto part = [&](CURLUPart which, unsigned flags) {
    char* text = nullptr;
    std::string result;
    if (curl_url_get(url.get(), which, &text, flags) == CURLUE_OK) result = text;
    curl_free(text);
    return result;
  };
  return Host{lower(part(CURLUPART_SCHEME, 0)), lower(part(CURLUPART_HOST, 0)), part(CURLUPART_PORT, CURLU_DEFAULT_PORT)};
}

/// One hop: one request, one answer.
class Exchange {
 public:
  Exchange(const HttpRequest& request, const HttpSink& sink)
      : request_(request), sink_(sink), easy_(curl_easy_init()), multi_(curl_multi_init()) {
    if (easy_ == nullptr || multi_ == nullptr) throw Error({.problem = "libcurl could not be started"});
  }

  /// Returns the address that it is redirected to; empty: none.
  std::string run(const std::string& url, bool has_token, const std::function<void()>& check, HttpResult& result);

 private:
  void set_up(const std::string& url, bool has_token);
  CURLcode perform(const std::function<void()>& check);
  static std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self);
  bool read_header(std::string_view line);
  bool read_body(std::span<const std::byte> bytes);

  const HttpRequest& request_;
  const HttpSink& sink_;
  std::unique_ptr<CURL, EasyDeleter> easy_;
  std::unique_ptr<CURLM, MultiDeleter> multi_;
  std::unique_ptr<curl_slist, ListDeleter> headers_;
  HttpHead head_;
  std::size_t header_bytes_ = 0;
  int header_count_ = 0;
  std::size_t passed_over_ = 0;
  bool has_begun_ = false;
  Clock::time_point last_byte_ = Clock::now();
  std::string problem_;        // of the answer's head
  std::exception_ptr thrown_;  // by the sink; must not pass through libcurl
};

void Exchange::set_up(const std::string& url, bool has_token) {
  CURL* easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "headlight");
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  if (request_.offset > 0) curl_easy_setopt(easy, CURLOPT_RANGE, fmt::format("{}-", request_.offset).c_str());
  const auto add_header = [&](const std::string& line) {
    curl_slist* list = curl_slist_append(headers_.get(), line.c_str());
    if (list == nullptr) throw std::bad_alloc();
    (void)headers_.release();
    headers_.reset(list);
  };
  if (has_token && !request_.token.empty()) add_header("Authorization: Bearer " + request_.token);
  if (request_.offset > 0 && !request_.if_range.empty()) add_header(fmt::format("If-Range: \"{}\"", request_.if_range));
  if (headers_ != nullptr) curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_.get());
}

std::size_t Exchange::on_header(char* bytes, std::size_t size, std::size_t count, void* self) {
  return static_cast<Exchange*>(self)->read_header({bytes, size * count}) ? size * count : 0;
}

std::size_t Exchange::on_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  return static_cast<Exchange*>(self)->read_body(std::as_bytes(std::span(bytes, size * count))) ? size * count : 0;
}

bool Exchange::read_header(std::string_view line) {
  header_bytes_ += line.size();
  if (++header_count_ > kMostHeaders || header_bytes_ > kMostHeaderBytes) {
    problem_ = "the server's answer has too many headers";
    return false;
  }
  if (line.starts_with("HTTP/")) {  // anew after a "100 Continue"
    const std::string linked = head_.linked_etag;
    head_ = {};
    head_.linked_etag = linked;
    return true;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return true;
  const std::string name = lower(line.substr(0, colon));
  const std::string_view value = trim(line.substr(colon + 1));
  if (name == "content-length") {
    const std::optional<std::uint64_t> length = to_number(value);
    if (!length || (head_.length && *head_.length != *length)) {
      problem_ = "the server states no usable length";
      return false;
    }
    head_.length = length;
  } else if (name == "etag") {
    head_.etag = unquoted(value);
  } else if (name == "x-linked-etag") {
    head_.linked_etag = unquoted(value);
  } else if (name == "content-range" && value.starts_with("bytes ")) {
    head_.range_begin = to_number(value.substr(6, value.find('-') - 6));
  } else if (name == "retry-after") {
    if (const std::optional<std::uint64_t> seconds = to_number(value))
      head_.retry_after = static_cast<double>(std::min<std::uint64_t>(*seconds, 3600));
  } else if (name == "content-encoding") {
    head_.is_packed = lower(value) != "identity";
  }
  return true;
}

bool Exchange::read_body(std::span<const std::byte> bytes) {
  last_byte_ = Clock::now();
  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  if (status >= 300 && status < 400) {  // its body is a few words
    passed_over_ += bytes.size();
    return passed_over_ <= kMostHeaderBytes;
  }
  if (status != 200 && status != 206) return false;  // the body of a refusal is not read
  try {
    if (!has_begun_) {
      head_.status = status;
      has_begun_ = true;
      sink_.begin(head_);
    }
    sink_.take(bytes);
    return true;
  } catch (...) {
    thrown_ = std::current_exception();
    return false;
  }
}

/// Drives the transfer in short steps, so that cancelling and silence are noticed.
CURLcode Exchange::perform(const std::function<void()>& check) {
  curl_multi_add_handle(multi_.get(), easy_.get());
  struct Removal {
    CURLM* multi;
    CURL* easy;
    ~Removal() { curl_multi_remove_handle(multi, easy); }
  };
  const Removal removal{multi_.get(), easy_.get()};
  int running = 1;
  while (running > 0) {
    check();
    if (curl_multi_perform(multi_.get(), &running) != CURLM_OK) return CURLE_RECV_ERROR;
    if (Clock::now() - last_byte_ > kPatience) {
      problem_ = fmt::format("nothing was received for {} seconds", kPatience.count());
      return CURLE_OPERATION_TIMEDOUT;
    }
    if (running > 0) curl_multi_poll(multi_.get(), nullptr, 0, 50, nullptr);
  }
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg == CURLMSG_DONE) return message->data.result;
  }
  return CURLE_RECV_ERROR;
}

bool is_worth_another_try(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
      return true;
    default:
      return false;
  }
}

/// libcurl's own words, except for two that would mislead.
std::string reason_of_failure(CURLcode code) {
  if (code == CURLE_OUT_OF_MEMORY) return "the server sends a header that is too long";
  if (code == CURLE_UNSUPPORTED_PROTOCOL) return "the server's answer is not HTTP";
  return curl_easy_strerror(code);
}

std::string Exchange::run(const std::string& url, bool has_token, const std::function<void()>& check, HttpResult& result) {
  set_up(url, has_token);
  const CURLcode code = perform(check);
  if (thrown_) std::rethrow_exception(thrown_);
  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  head_.status = status;
  const std::string linked = result.head.linked_etag;
  result.head = head_;
  if (result.head.linked_etag.empty()) result.head.linked_etag = linked;
  if (!problem_.empty()) {
    result.problem = problem_;
    result.may_be_retried = code == CURLE_OPERATION_TIMEDOUT;
    return {};
  }
  if (status >= 300 && status < 400) {
    const char* location = nullptr;
    curl_easy_getinfo(easy_.get(), CURLINFO_REDIRECT_URL, &location);
    if (location != nullptr) return location;
    result.problem = fmt::format("the server redirects (status {}) without saying where", status);
    return {};
  }
  if (status != 0 && status != 200 && status != 206) {
    result.problem = fmt::format("the server answered with status {}", status);
    result.may_be_retried = status == 429 || status >= 500;
  } else if (code != CURLE_OK) {
    result.problem = reason_of_failure(code);
    result.may_be_retried = is_worth_another_try(code);
  } else if (!has_begun_) {
    sink_.begin(head_);  // an empty body
  }
  return {};
}

/// Why a redirect to an address is refused; empty: it is not.
std::string refusal_of_redirect(const Host& from, const std::string& address) {
  const std::optional<Host> to = host_of(address);
  if (!to || (to->scheme != "http" && to->scheme != "https")) return "the server redirects to something that is not a web address";
  if (from.scheme == "https" && to->scheme == "http") return "the server redirects from https to http";
  const bool is_link_local = to->name.starts_with("169.254.") || to->name.starts_with("[fe80");
  if (is_link_local && to->name != from.name) return "the server redirects to an address of the machine's own network";
  return {};
}

}  // namespace

HttpResult http_get(const HttpRequest& request, const HttpSink& sink, const std::function<void()>& check) {
  HttpResult result;
  const std::optional<Host> first = host_of(request.url);
  if (!first) return {{}, "this is not a web address", false};
  std::string url = request.url;
  Host here = *first;
  for (int hop = 0; hop <= kMostRedirects; ++hop) {
    Exchange exchange(request, sink);
    const std::string next = exchange.run(url, here == *first, check, result);
    if (next.empty()) return result;
    if (const std::string refusal = refusal_of_redirect(here, next); !refusal.empty()) {
      result.problem = fmt::format("{}: {}", refusal, printable(next, 100));
      return result;
    }
    url = next;
    here = *host_of(next);
  }
  result.problem = fmt::format("the server redirects more than {} times", kMostRedirects);
  return result;
}

void wait_to_retry(double seconds, const std::function<void()>& check) {
  constexpr double kLongest = 30;
  const auto end = Clock::now() + std::chrono::duration<double>(std::clamp(seconds, 0.0, kLongest));
  while (Clock::now() < end) {
    check();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace headlight
