import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { WeekRefused } from "../performance/week-refused.tsx";
import { KeptNote } from "./kept-note.tsx";

const noteOf = (days: number | null) => renderToStaticMarkup(createElement(KeptNote, { days }));
const weekOf = (refusals: Parameters<typeof WeekRefused>[0]["refusals"]) =>
  renderToStaticMarkup(createElement(WeekRefused, { refusals }));

it("the list of decisions says for how many days decisions that placed no order are kept, and nothing where they stay", () => {
  expect(noteOf(1_000)).toContain(">Decisions that placed no order are kept for 1,000 days.<");
  expect(noteOf(1)).toContain(" are kept for 1 day.<");
  expect(noteOf(null)).toBe("");
});

it("a week whose looks are no longer kept says so, and does not say that there were none", () => {
  const unknown = weekOf(null);
  expect(unknown).toContain("no longer kept, so it is not known what prevented purchases.");
  expect(unknown).not.toContain("No decision was made");
  expect(weekOf({ decisions: 0, groups: [] })).toContain("No decision was made this week.");
});
