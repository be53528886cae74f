// What every HTML page of figures has beside its figures: looks and behaviour, without any reference outside the page.
#pragma once

#include <string_view>

namespace headlight {

inline constexpr std::string_view kPageStyle = R"(
:root{color-scheme:SCHEME;--ground:GROUND;--panel:PANEL;--text:TEXT;--second:SECOND;--line:LINE;--accent:ACCENT}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.45 Inter,"DejaVu Sans",system-ui,sans-serif}
main{max-width:WIDTHpx;margin:0 auto;padding:0 0 72px}
figure{margin:0}
figure[hidden]{display:none}
svg{display:block;width:100%;height:auto}
.map{fill:transparent;cursor:crosshair;outline:none}
.map:focus-visible{stroke:var(--accent);stroke-width:2}
.cell{fill:none;stroke:var(--accent);stroke-width:2;pointer-events:none;visibility:hidden;filter:drop-shadow(0 0 1px var(--ground)) drop-shadow(0 0 1px var(--ground))}
.bar{position:fixed;left:0;right:0;bottom:0;padding:10px 20px;background:var(--panel);border-top:1px solid var(--line)}
.bar p{max-width:WIDTHpx;margin:0 auto;min-height:1.45em;overflow-wrap:anywhere}
.bar .hint{color:var(--second)}
.bar b{font-variant-numeric:tabular-nums}
.sweep{display:flex;gap:16px;align-items:center;max-width:WIDTHpx;margin:0 auto 8px}
.sweep input{flex:1;accent-color:var(--accent)}
.sweep output{min-width:8em}
@media print{.bar{display:none}main{padding:0}}
)";

/// Reads the JSON of #headlight-maps: {"labels": [[…]], "maps": [{"still", "name", "box", "window", "rows", "columns", "row", "column",
/// "row_labels", "column_labels", "values"}], "places": [{"still", "spots": [{"box", "words", "values", "first", "is_column", "curves"}]}]}. Values are float32 in base64, row by row; 0xFFC00001 is a masked cell, 0xFFC00002 one that is left out.
inline constexpr std::string_view kPageScript = R"(
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("headlight-maps").textContent);
  const stills = [...document.querySelectorAll("figure")];
  const bar = document.getElementById("cell");
  const hint = bar.innerHTML;
  const svgName = "http://www.w3.org/2000/svg";
  const words = new Map([[0xffc00001, "masked"], [0xffc00002, "left out"]]);
  const decode = text => {
    const bytes = atob(text), view = new DataView(new ArrayBuffer(bytes.length));
    for (let i = 0; i < bytes.length; i++) view.setUint8(i, bytes.charCodeAt(i));
    return view;
  };
  const label = (list, at) => {
    const words = data.labels[list];
    return words && at < words.length ? `“${words[at]}” (${at})` : String(at);
  };
  const digits = value => {
    if (Number.isNaN(value)) return "no number";
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    let text = String(value);
    for (let places = 1; places < 10; places++) {
      const shorter = value.toPrecision(places);
      if (Math.fround(Number(shorter)) === value) { text = String(Number(shorter)); break; }
    }
    return text.replace("-", "−");
  };
  let place = null;
  const say = map => {
    const [row, column] = place;
    let value = "the value is not in this file";
    if (map.view) {
      const at = 4 * (row * map.columns + column);
      value = words.get(map.view.getUint32(at, true)) || digits(map.view.getFloat32(at, true));
    }
    bar.className = "";
    bar.textContent = `${map.name} — ${map.row} ${label(map.row_labels, row)} → ${map.column} ${label(map.column_labels, column)}: `;
    const strong = document.createElement("b");
    strong.textContent = value;
    bar.append(strong);
  };
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
  const show = (map, row, column) => {
    const [rowBegin, rowEnd, columnBegin, columnEnd] = map.window;
    row = clamp(row, Math.floor(rowBegin), Math.ceil(rowEnd) - 1);
    column = clamp(column, Math.floor(columnBegin), Math.ceil(columnEnd) - 1);
    place = [row, column];
    const [x, y, width, height] = map.box;
    const cellWidth = width / (columnEnd - columnBegin), cellHeight = height / (rowEnd - rowBegin);
    map.cell.setAttribute("x", x + (column - columnBegin) * cellWidth);
    map.cell.setAttribute("y", y + (row - rowBegin) * cellHeight);
    map.cell.setAttribute("width", Math.max(cellWidth, 2));
    map.cell.setAttribute("height", Math.max(cellHeight, 2));
    for (const other of data.maps) other.cell.style.visibility = other === map ? "visible" : "hidden";
    say(map);
  };
  const hiding = [];
  const leave = () => {
    for (const map of data.maps) map.cell.style.visibility = "hidden";
    for (const hide of hiding) hide();
    bar.className = "hint";
    bar.innerHTML = hint;
  };
  const steps = {
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    PageUp: [-10, 0], PageDown: [10, 0], Home: [0, -Infinity], End: [0, Infinity]
  };
  const setBox = (rect, box) => ["x", "y", "width", "height"].forEach((key, at) => rect.setAttribute(key, box[at]));
  const addRect = (svg, name) => {
    const rect = document.createElementNS(svgName, "rect");
    rect.setAttribute("class", name);
    svg.append(rect);
    return rect;
  };
  const addArea = (svg, box, label) => {
    const area = addRect(svg, "map");
    setBox(area, box);
    area.setAttribute("tabindex", "0");
    area.setAttribute("role", "application");
    area.setAttribute("aria-label", label);
    area.setAttribute("aria-describedby", "cell");
    return area;
  };
  // What is pointed at, by a pointer or by keys: move(event, step) goes on from there.
  const listen = (area, point, begin, move) => {
    area.addEventListener("pointermove", point);
    area.addEventListener("pointerdown", point);
    area.addEventListener("pointerleave", () => { if (document.activeElement !== area) leave(); });
    area.addEventListener("focus", begin);
    area.addEventListener("blur", leave);
    area.addEventListener("keydown", event => {
      if (event.key === "Escape") return area.blur();
      const step = steps[event.key];
      if (!step || event.altKey || event.metaKey) return;
      event.preventDefault();
      move(event, step);
    });
  };
  for (const map of data.maps) {
    const svg = stills[map.still].querySelector("svg");
    map.name = map.name || svg.getAttribute("aria-label");
    if (map.values) map.view = decode(map.values);
    const area = addArea(svg, map.box, `${map.name}, a map of ${map.rows} by ${map.columns}. Arrow keys move from cell to cell.`);
    map.cell = addRect(svg, "cell");
    const point = event => {
      const at = area.getBoundingClientRect();
      const [rowBegin, rowEnd, columnBegin, columnEnd] = map.window;
      const right = (event.clientX - at.left) / at.width, down = (event.clientY - at.top) / at.height;
      show(map, Math.floor(rowBegin + down * (rowEnd - rowBegin)), Math.floor(columnBegin + right * (columnEnd - columnBegin)));
    };
    listen(area, point, () => show(map, ...(place || [Math.floor(map.window[0]), Math.floor(map.window[2])])), (event, step) => {
      const [row, column] = place || [0, 0];
      const [down, right] = event.ctrlKey && step[1] ? [step[1], step[1]] : step;
      show(map, clamp(row + down, 0, map.rows - 1), clamp(column + right, 0, map.columns - 1));
    });
  }
  // Places that something is said of: a place with several values is as many cells.
  const cellsOf = spot => {
    const [x, y, width, height] = spot.box;
    const view = spot.values && decode(spot.values);
    const count = view ? view.byteLength / 4 : 1;
    return Array.from({length: count}, (_, at) => ({
      spot,
      words: spot.words + (spot.first === undefined ? "" : ` ${spot.first + at}`),
      value: view ? digits(view.getFloat32(4 * at, true)) : null,
      box: spot.is_column ? [x, y + height * at / count, width, height / count] : [x + width * at / count, y, width / count, height]
    }));
  };
  const middleOf = ({box: [x, y, width, height]}) => [x + width / 2, y + height / 2];
  const nearest = (cells, from, right, down) => {
    const [x, y] = middleOf(from);
    let best = from, least = Infinity;
    for (const cell of cells) {
      const [cellX, cellY] = middleOf(cell);
      const along = (cellX - x) * right + (cellY - y) * down, aside = Math.abs((cellX - x) * down) + Math.abs((cellY - y) * right);
      if (along > 0.5 && along + 3 * aside < least) { best = cell; least = along + 3 * aside; }
    }
    return best;
  };
  for (const place of data.places) {
    const svg = stills[place.still].querySelector("svg");
    const cells = place.spots.flatMap(cellsOf), boxes = place.spots.map(spot => spot.box);
    const left = Math.min(...boxes.map(box => box[0])), top = Math.min(...boxes.map(box => box[1]));
    const right = Math.max(...boxes.map(box => box[0] + box[2])), bottom = Math.max(...boxes.map(box => box[1] + box[3]));
    const curves = [...svg.querySelectorAll(":scope > path")];
    const area = addArea(svg, [left, top, right - left, bottom - top],
                         `${svg.getAttribute("aria-label")}. Arrow keys move from place to place.`);
    const frame = addRect(svg, "cell");
    let shown = null;
    hiding.push(() => {
      frame.style.visibility = "hidden";
      for (const curve of curves) curve.style.opacity = "";
    });
    const show = cell => {
      shown = cell;
      setBox(frame, cell.box);
      frame.style.visibility = "visible";
      bar.className = "";
      bar.textContent = cell.value === null ? cell.words : `${cell.words}: `;
      if (cell.value !== null) {
        const strong = document.createElement("b");
        strong.textContent = cell.value;
        bar.append(strong);
      }
      const own = new Set(cell.spot.curves || []);
      curves.forEach((curve, at) => { curve.style.opacity = own.size === 0 || own.has(at) ? "" : "0.07"; });
    };
    const point = event => {
      const at = area.getBoundingClientRect();
      const x = left + (event.clientX - at.left) / at.width * (right - left), y = top + (event.clientY - at.top) / at.height * (bottom - top);
      const cell = cells.findLast(({box}) => x >= box[0] && x < box[0] + box[2] && y >= box[1] && y < box[1] + box[3]);
      if (cell) show(cell); else if (document.activeElement !== area) leave();
    };
    listen(area, point, () => show(shown || cells[0]), (event, step) => {
      if (event.key === "Home" || event.key === "End") return show(event.key === "Home" ? cells[0] : cells[cells.length - 1]);
      let cell = shown || cells[0];
      for (let count = Math.abs(step[0] + step[1]); count > 0; count--) cell = nearest(cells, cell, Math.sign(step[1]), Math.sign(step[0]));
      show(cell);
    });
  }
  const slider = document.getElementById("sweep");
  if (slider) {
    const turn = () => {
      const shown = Number(slider.value);
      stills.forEach((still, at) => { still.hidden = at !== shown; });
      const name = stills[shown].dataset.name;
      document.getElementById("still").textContent = name;
      slider.setAttribute("aria-valuetext", name);
      leave();
    };
    slider.addEventListener("input", turn);
    turn();
  }
})();
)";

}  // namespace headlight
