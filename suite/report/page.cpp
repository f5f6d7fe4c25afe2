#include "suite/report/page.hpp"

#include "suite/report/html.hpp"

namespace dwarfsweep {

extern const char* const report_style;
extern const char* const report_style_sha256;  // hexadecimal, of the text

std::string html_page(const std::string& title, const std::string& body, const PageScript& script) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'; script-src "
      "'{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}<script>{}</script>\n</body>\n</html>\n",
      policy_hash(report_style_sha256), policy_hash(script.sha256), escaped_html(title), report_style, body,
      script.text);
}

}  // namespace dwarfsweep
