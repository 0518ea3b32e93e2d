import type { RegimeLabel } from "@/lib/domain/enums.ts";
import { signedPercentText } from "@/lib/domain/format.ts";
import { escapeHtml as safe } from "./charts.ts";

export const REGIME_WORDS: Record<RegimeLabel, string> = {
  risk_on: "Risk on",
  neutral: "Neutral",
  risk_off: "Risk off",
};

export const percentText = (fraction: number) => signedPercentText(fraction * 100);
export const tone = (value: number) => (value > 0 ? "gain" : value < 0 ? "loss" : "");

export interface Column<T> {
  head: string;
  isNumber?: boolean;
  cell: (row: T) => string;
  toneOf?: (row: T) => number;
}

export function table<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const head = columns
    .map(({ head: name, isNumber }) => `<th${isNumber ? ' class="n"' : ""}>${safe(name)}</th>`)
    .join("");
  const body = rows
    .map((row) => {
      const cells = columns.map(({ cell, isNumber, toneOf }) => {
        const classes = [isNumber ? "n" : "", toneOf === undefined ? "" : tone(toneOf(row))].filter(Boolean).join(" ");
        return `<td${classes === "" ? "" : ` class="${classes}"`}>${safe(cell(row))}</td>`;
      });
      return `<tr>${cells.join("")}</tr>`;
    })
    .join("");
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

export function section(title: string, content: string, isLong = false): string {
  return `<section${isLong ? ' class="long"' : ""}><h2>${safe(title)}</h2>${content}</section>`;
}
