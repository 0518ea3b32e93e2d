import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { supportWarning } from "./node-support.mjs";

const on = (date: string) => new Date(`${date}T12:00:00Z`);

it.each([
  ["v20.19.0", "2026-04-30", null],
  ["v20.19.0", "2026-05-01", /v20\.19\.0 has had no security fixes since 2026-04-30/],
  ["v21.7.0", "2026-01-01", /v21\.7\.0 gets no security fixes/],
  ["v22.12.0", "2026-11-23", null],
  ["v22.12.0", "2027-05-01", /2027-04-30/],
  ["v24.11.0", "2026-11-23", null],
  ["v26.0.0", "2026-11-23", null],
])("of Node %s on %s the start says %s", (version, date, message) => {
  const said = supportWarning(version, on(date));
  if (message === null) expect(said).toBeNull();
  else expect(said).toMatch(message);
  expect(said ?? "").not.toContain("\n");
});

it("the image runs on a supported line of Node, and the manifest takes every line from 20.19 on", () => {
  const image = /^ARG NODE_IMAGE=node:(\d+\.\d+\.\d+)-/m.exec(readFileSync("Dockerfile", "utf8"))?.[1] ?? "";
  expect(supportWarning(`v${image}`, new Date())).toBeNull();
  expect(Number(image.split(".")[0])).toBeGreaterThanOrEqual(24);
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(">=20.19");
});
