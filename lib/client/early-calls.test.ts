import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { takeEarlyCall } from "./early-calls.ts";

const ME = "/api/v1/auth/me";
const response = Promise.resolve(new Response("{}"));
const page: Pick<Window, "earlyCalls"> = {};

beforeEach(() => {
  vi.stubGlobal("window", page);
  page.earlyCalls = { [ME]: { token: "ours", startedAt: performance.now(), response } };
});
afterAll(() => vi.unstubAllGlobals());

it("an early call has one taker", () => {
  expect(takeEarlyCall("/api/v1/accounts", "ours")).toBeUndefined();
  expect(takeEarlyCall(ME, "ours")).toBe(response);
  expect(takeEarlyCall(ME, "ours")).toBeUndefined();
});

it("what was asked with another token is nobody's", () => {
  expect(takeEarlyCall(ME, "theirs")).toBeUndefined();
  expect(takeEarlyCall(ME, null)).toBeUndefined();
  expect(takeEarlyCall(ME, "ours")).toBeUndefined();
});

it("what is asked for later gets a newer answer", () => {
  page.earlyCalls = { [ME]: { token: "ours", startedAt: performance.now() - 10_001, response } };
  expect(takeEarlyCall(ME, "ours")).toBeUndefined();
});

it("a page without early calls has none to take", () => {
  delete page.earlyCalls;
  expect(takeEarlyCall(ME, "ours")).toBeUndefined();
});
