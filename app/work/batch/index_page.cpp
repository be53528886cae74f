#include "app/work/batch/index_page.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "app/document/amounts.h"
#include "engine/figure/painters/html_text.h"
#include "engine/figure/style.h"

namespace headlight {
namespace {

constexpr std::string_view kStyle = R"(
*{box-sizing:border-box}
html{scroll-padding-top:3.5em}
body{margin:0 auto;max-width:1500px;padding:28px 24px 72px;background:var(--ground);color:var(--text);font:15px/1.45 Inter,"DejaVu Sans",system-ui,sans-serif}
h1{margin:0 0 4px;font-size:24px;line-height:1.25;overflow-wrap:anywhere}
p{margin:0}
.what,.note{color:var(--second)}
.find{margin:18px 0 14px;display:flex;gap:12px;align-items:center;flex-wrap:wrap}
.find input{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:6px 10px;width:min(360px,100%)}
.find input:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
.failed{margin:18px 0;padding:12px 16px;background:var(--panel);border:1px solid var(--line);border-left:3px solid var(--bad);border-radius:6px}
.failed h2{margin:0 0 6px;font-size:15px}
.failed ul{margin:0;padding-left:20px;max-height:14em;overflow:auto}
.bad{color:var(--bad)}
li,td{overflow-wrap:anywhere}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
table{width:100%;border-collapse:collapse;background:var(--panel)}
th{position:sticky;top:0;z-index:1;padding:10px 14px;background:var(--raised);text-align:left;font-weight:600;border-bottom:1px solid var(--line)}
td{padding:12px 14px;vertical-align:top;border-bottom:1px solid var(--line)}
td.number,th.number{width:1%;white-space:nowrap;text-align:right;font-variant-numeric:tabular-nums;color:var(--second)}
td.text{min-width:16em;white-space:pre-wrap}
td.figure{width:WIDTH}
img{display:block;max-width:100%;max-height:190px;border:1px solid var(--line);border-radius:4px}
.links{margin-top:6px;font-size:13px}
@media(max-width:760px){body{padding:16px 8px}td,th{padding:8px}td.text{min-width:9em}}
@media print{.find{display:none}th{position:static}}
)";

constexpr std::string_view kScript = R"(
"use strict";
(() => {
  const box = document.getElementById("find"), count = document.getElementById("count");
  const rows = [...document.querySelectorAll("tbody tr")];
  const texts = rows.map(row => row.querySelector(".text").textContent.toLowerCase());
  box.parentElement.hidden = false;
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, at) => { row.hidden = !texts[at].includes(wanted); shown += row.hidden ? 0 : 1; });
    count.textContent = wanted ? `${shown} of ${rows.length}` : "";
  });
})();
)";

std::string colours_of(Theme theme) {
  const Palette& colours = palette(theme);
  const auto named = [](std::string_view name, Colour colour) { return fmt::format("--{}:{};", name, hex_text(colour)); };
  return named("ground", colours.ground) + named("panel", colours.panel) + named("raised", colours.raised) + named("line", colours.line) +
         named("text", colours.text) + named("second", colours.text_second) + named("accent", colours.accent) + named("bad", colours.bad);
}

/// Both themes' colours, the reader's own first.
std::string style_of(const BatchPage& page) {
  const std::string width = fmt::format("{}%", 66 / std::max<std::size_t>(page.figures.size(), 1));
  return fmt::format(":root{{color-scheme:light dark;{}}}\n@media(prefers-color-scheme:dark){{:root{{{}}}}}", colours_of(Theme::light),
                     colours_of(Theme::dark)) +
         replaced(std::string(kStyle), "WIDTH", width);
}

bool is_picture(std::string_view file) {
  return file.ends_with(".png") || file.ends_with(".svg");
}

using Items = std::vector<const BatchItem*>;

/// The first picture small, and a link to each file; or why there is none.
std::string cell_of(const Items& items, const BatchText& text) {
  std::string cell, links;
  for (const BatchItem* item : items) {
    const std::string ending = item->file.substr(item->file.rfind('.') + 1);
    if (!item->problem.empty()) {
      cell += fmt::format("<p class=\"bad\">{} (exit status {})</p>", in_html(item->problem), item->status);
    } else if (item->sha256.empty()) {
      cell += fmt::format("<p class=\"note\">{}: not made yet</p>", in_html(ending));
    } else if (is_picture(item->file) && cell.find("<img") == std::string::npos) {
      cell += fmt::format("<a href=\"{0}\"><img src=\"{0}\" loading=\"lazy\" alt=\"{1} of “{2}”\"></a>", in_html(item->file),
                          in_html(item->figure), in_html(text.text));
    } else {
      links += fmt::format("{}<a href=\"{}\">{}</a>", links.empty() ? "" : " · ", in_html(item->file), in_html(ending));
    }
  }
  return cell + (links.empty() ? "" : "<p class=\"links\">" + links + "</p>");
}

/// What could not be made, with a link to its row.
std::string failed_list(const BatchState& state) {
  std::string list;
  std::size_t count = 0;
  const auto add = [&](std::size_t text, const std::string& what, const std::string& why) {
    list += fmt::format("<li><a href=\"#text-{}\">{}</a>: {}</li>\n", text, in_html(what), in_html(why));
    ++count;
  };
  for (std::size_t text = 0; text < state.texts.size(); ++text) {
    if (!state.texts[text].problem.empty()) add(text, fmt::format("line {}", state.texts[text].line), state.texts[text].problem);
  }
  for (const BatchItem& item : state.items) {
    if (!item.problem.empty()) add(item.text, item.file, fmt::format("{} (exit status {})", item.problem, item.status));
  }
  if (count == 0) return {};
  return fmt::format("<section class=\"failed\">\n<h2>{} failed</h2>\n<ul>\n{}</ul>\n</section>\n", count, list);
}

std::string row_of(const BatchPage& page, const BatchText& text, std::size_t number, std::map<std::string, Items>& of_figures) {
  std::string row =
      fmt::format("<tr id=\"text-{0}\"><td class=\"number\">{0}</td><td class=\"number\">{1}</td><td class=\"text\" dir=\"auto\">{2}",
                  number, text.line, in_html(text.text));
  if (!text.problem.empty()) row += fmt::format("<p class=\"bad\">{}</p>", in_html(text.problem));
  row += "</td>";
  for (const std::string& figure : page.figures) row += "<td class=\"figure\">" + cell_of(of_figures[figure], text) + "</td>";
  return row + "</tr>\n";
}

std::string table_of(const BatchPage& page, const BatchState& state) {
  std::string table =
      "<table>\n<thead><tr><th class=\"number\" scope=\"col\">Text</th><th class=\"number\" scope=\"col\">Line</th><th "
      "scope=\"col\">Words</th>";
  for (const std::string& figure : page.figures) table += fmt::format("<th scope=\"col\">{}</th>", in_html(figure));
  table += "</tr></thead>\n<tbody>\n";
  std::size_t item = 0;
  for (std::size_t text = 0; text < state.texts.size(); ++text) {
    std::map<std::string, Items> of_figures;
    for (; item < state.items.size() && state.items[item].text == text; ++item) {
      of_figures[state.items[item].figure].push_back(&state.items[item]);
    }
    table += row_of(page, state.texts[text], text, of_figures);
  }
  return table + "</tbody>\n</table>\n";
}

}  // namespace

std::string index_page(const BatchPage& page, const BatchState& state) {
  const std::string title = fmt::format("{}: {}", page.texts_name, fmt::join(page.figures, ", "));
  std::string what =
      fmt::format("{} through {}, as {}", counted(std::ssize(state.texts), "text"), page.model, fmt::join(page.endings, ", "));
  if (state.done < state.items.size())
    what += fmt::format("; stopped after {} of {}", state.done, counted(std::ssize(state.items), "file"));
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\"Headlight\">\n";
  html += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n", in_html(title), style_of(page));
  html += fmt::format("<h1>{}</h1>\n<p class=\"what\">{}</p>\n", in_html(title), in_html(what));
  html += failed_list(state);
  html +=
      "<div class=\"find\" hidden><input id=\"find\" type=\"search\" placeholder=\"Show texts that contain …\" aria-label=\"Show texts "
      "that "
      "contain these words\"><span id=\"count\" class=\"note\" role=\"status\"></span></div>\n";
  html += table_of(page, state);
  html +=
      "<p class=\"note\" style=\"margin-top:14px\">Pictures say how they were made; <code>headlight verify FILE</code> checks one.</p>\n";
  return html + "<script>" + std::string(kScript) + "</script>\n</body>\n</html>\n";
}

}  // namespace headlight
