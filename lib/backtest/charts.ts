/** Small SVG charts as text: no library, no script, colours from the page's own variables. */

/** Drawn twice: once for a page, once for a phone, where the same drawing scaled down could not be read. */
const WIDE = { width: 1000, left: 72, ticks: 8, className: "wide" };
const NARROW = { width: 420, left: 70, ticks: 4, className: "narrow" };
type Format = typeof WIDE;

const RIGHT = 16;
const TOP = 10;
const BOTTOM = 24;

export interface ChartLine {
  name: string;
  /** A CSS colour. */
  color: string;
  values: readonly (number | null)[];
  isFilled?: boolean;
  isDashed?: boolean;
}

export interface ChartBand {
  from: number;
  to: number;
  color: string;
}

export interface Chart {
  title: string;
  /** One date a point. */
  dates: readonly string[];
  lines: readonly ChartLine[];
  bands?: readonly ChartBand[];
  height: number;
  /** How a value reads on the axis. */
  axisText: (value: number) => string;
  /** The axis reaches at least these values. */
  includes?: readonly number[];
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Round steps that cover a range in about `count` parts: 1, 2, 2.5 or 5 times a power of ten. */
export function axisSteps(low: number, high: number, count = 4): number[] {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((size) => size >= rough) ?? rough;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function monthTicks(dates: readonly string[], most: number): { at: number; label: string }[] {
  const starts = dates.flatMap((date, at) =>
    at > 0 && date.slice(0, 7) !== dates[at - 1]!.slice(0, 7) ? [{ at, label: date.slice(0, 7) }] : [],
  );
  const every = Math.max(1, Math.ceil(starts.length / most));
  return starts.filter((_, i) => i % every === 0);
}

export function lineChart(chart: Chart): string {
  return [WIDE, NARROW].map((format) => drawing(chart, format)).join("");
}

function drawing(chart: Chart, { width: total, left, ticks, className }: Format): string {
  const { title, dates, lines, bands = [], height, axisText, includes = [] } = chart;
  const known = [...lines.flatMap(({ values }) => values.filter((value) => value !== null)), ...includes];
  const steps = axisSteps(Math.min(...known), Math.max(...known));
  const [low, high] = [steps[0]!, steps.at(-1)!];
  const x = (i: number) => left + ((total - left - RIGHT) * i) / Math.max(1, dates.length - 1);
  const y = (value: number) => TOP + ((height - TOP - BOTTOM) * (high - value)) / (high - low || 1);
  const point = (i: number, value: number) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
  const parts: string[] = [];
  for (const { from, to, color } of bands) {
    const start = Math.max(left, x(from - 0.5));
    const width = Math.min(total - RIGHT, x(to + 0.5)) - start;
    parts.push(
      `<rect x="${start.toFixed(1)}" y="${TOP}" width="${width.toFixed(1)}" height="${height - TOP - BOTTOM}" fill="${color}"/>`,
    );
  }
  for (const step of steps) {
    const at = y(step).toFixed(1);
    parts.push(`<line x1="${left}" x2="${total - RIGHT}" y1="${at}" y2="${at}" class="grid"/>`);
    parts.push(`<text x="${left - 8}" y="${at}" dy="4" text-anchor="end">${escapeHtml(axisText(step))}</text>`);
  }
  for (const { at, label } of monthTicks(dates, ticks)) {
    parts.push(`<text x="${x(at).toFixed(1)}" y="${height - 6}" text-anchor="middle">${label}</text>`);
  }
  for (const { values, color, isFilled, isDashed } of lines) {
    const points = values.flatMap((value, i) => (value === null ? [] : [{ i, value }]));
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) continue;
    const path = points.map(({ i, value }, k) => `${k === 0 ? "M" : "L"}${point(i, value)}`).join("");
    if (isFilled) {
      const base = Math.min(Math.max(0, low), high);
      parts.push(
        `<path d="${path}L${point(last.i, base)}L${point(first.i, base)}Z" fill="${color}" fill-opacity=".18"/>`,
      );
    }
    const dash = isDashed ? ' stroke-dasharray="5 4"' : "";
    parts.push(`<path d="${path}" fill="none" stroke="${color}" stroke-width="1.8"${dash}/>`);
  }
  return `<svg class="${className}" viewBox="0 0 ${total} ${height}" role="img" aria-label="${escapeHtml(title)}">${parts.join("")}</svg>`;
}
