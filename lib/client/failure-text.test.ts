import { describe, expect, it } from "vitest";
import { CallError, serverMessage } from "./api.ts";
import { failureText } from "./failure-text.ts";

const SPECIFIED = "Failed to load users";
const refused = new CallError(409, "conflict", "The database is unavailable.");
const silent = new CallError(500, "internal", "");
const unreachable = new CallError(0, "unreachable", "Tradewind could not be reached.");
const unreadable = new CallError(502, "unreadable", "The answer could not be read.");

describe("what a screen says of a failed call", () => {
  it("takes no sentence of the client for the server's", () => {
    expect([refused, silent, unreachable, unreadable].map(serverMessage)).toEqual([refused.message, "", "", ""]);
  });

  it("is the server's sentence, else the specified one with the client's below it", () => {
    expect(failureText(refused, SPECIFIED)).toEqual({ text: refused.message });
    expect(failureText(silent, SPECIFIED)).toEqual({ text: SPECIFIED });
    for (const failure of [unreachable, unreadable])
      expect(failureText(failure, SPECIFIED)).toEqual({ text: SPECIFIED, detail: failure.message });
  });
});
