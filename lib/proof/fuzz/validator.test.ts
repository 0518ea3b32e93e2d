import { expect, it } from "vitest";
import { violationsOf } from "./validator.ts";

const answer = (violations?: object[]) => ({
  status: 200,
  headers: { "x-request-id": "r-1", ...(violations && { "sl-violations": JSON.stringify(violations) }) },
  text: '{"success":true}',
  durationMs: 3,
});
const wrong = {
  location: ["response", "body", "data"],
  severity: "Error",
  code: "required",
  message: "must have data",
};
const asked = { location: ["request", "query"], severity: "Error", code: "additional", message: "must be known" };

it("an answer is at fault where the validator says so of the response, and not for what was asked", () => {
  expect(violationsOf(answer())).toEqual([]);
  expect(violationsOf(answer([asked]))).toEqual([]);
  const cut = (...told: object[]) => ({
    "x-request-id": "r-1",
    "sl-violations": `Too many violations! ${JSON.stringify(told).slice(0, -20)}`,
  });
  expect(violationsOf({ ...answer(), headers: cut(asked, asked) })).toEqual([]);
  expect(violationsOf({ ...answer(), headers: cut(asked, wrong) })).toHaveLength(1);
  expect(violationsOf({ ...answer(), headers: {} })).toHaveLength(1);
  expect(violationsOf(answer([asked, wrong]))).toEqual([
    { rule: "undescribed", text: '200, body.data: must have data: {"success":true}' },
  ]);
});
