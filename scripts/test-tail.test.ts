import { expect, it } from "vitest";
import config from "../playwright.config.ts";
import { stages, WITHIN } from "./test-stages.mjs";
import Tail, { ONE_BY_ONE } from "./test-tail.mjs";

const projects = config.projects ?? [];
const begun = (project: string) => ({ parent: { project: () => ({ name: project }) } });

it("the journeys that come one by one wait for all others, and these for none", () => {
  const others = projects.map(({ name }) => name ?? "").filter((name) => !ONE_BY_ONE.includes(name));
  expect(others.length).toBeGreaterThan(1);
  for (const { name = "", dependencies = [] } of projects) {
    const wanted = ONE_BY_ONE.includes(name) ? others : [];
    expect(dependencies.filter((each) => !ONE_BY_ONE.includes(each)).toSorted(), name).toEqual(wanted.toSorted());
  }
});

it("the program that waits for an idle core is told of the first of them, once", () => {
  const told: string[] = [];
  const tail = new Tail({ tell: (what) => told.push(what) });
  tail.onTestBegin(begun("chromium"));
  expect(told).toEqual([]);
  for (const project of [...ONE_BY_ONE, "alone"]) tail.onTestBegin(begun(project));
  expect(told).toEqual(["one by one"]);
});

it("a stage that runs within another is one of the stages, and comes before it", () => {
  const order = Object.keys(stages);
  for (const [outer, inner] of Object.entries(WITHIN))
    for (const name of inner) expect(order.indexOf(name)).toBeLessThan(order.indexOf(outer));
  expect(Object.keys(WITHIN)).not.toEqual([]);
});
