// The one error type of the library: it names the argument, the rule it broke and what came instead.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace tilelab {

enum class ErrorKind : int { kValue = 0, kType = 1 };

class ArgumentError : public std::invalid_argument {
 public:
  ArgumentError(std::string argument_name, std::string broken_rule, std::string got_text,
                ErrorKind error_kind = ErrorKind::kValue)
      : std::invalid_argument(argument_name + " " + broken_rule + ", got " + got_text),
        argument(std::move(argument_name)),
        rule(std::move(broken_rule)),
        got(std::move(got_text)),
        kind(error_kind) {}

  std::string argument;
  std::string rule;
  std::string got;
  ErrorKind kind;
};

/// A legal combination that the library does not model.
class UnsupportedError : public ArgumentError {
 public:
  using ArgumentError::ArgumentError;
};

/// Throws ArgumentError unless `ok`. The rule completes the sentence "<argument> <rule>, got <got>".
inline void require(bool ok, const char* argument, const char* rule, const std::string& got) {
  if (!ok) throw ArgumentError(argument, rule, got);
}

inline void require(bool ok, const char* argument, const char* rule, long long got) {
  if (!ok) throw ArgumentError(argument, rule, std::to_string(got));
}

}  // namespace tilelab
