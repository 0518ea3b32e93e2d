import * as z from "zod";
import type { FuzzAnswer, Problem } from "./check-answer.ts";
import { bodyBytes, type FuzzRequest } from "./request.ts";

/**
 * A validating proxy in front of the stack (`prism proxy`) holds each answer against the API's document, with a reading of OpenAPI that
 * is not ours. It lets answers through and names what is wrong in a header, of the request as well.
 */
const HEADER = "sl-violations";

const violations = z.array(
  z.looseObject({ location: z.array(z.union([z.string(), z.number()])), message: z.string() }),
);

/** What the validator says of the answer. What it says of the request was meant. */
export function violationsOf({ status, headers, text }: FuzzAnswer): Problem[] {
  // Our answers name their request: without its id the proxy spoke for itself, and nothing was judged.
  if (headers["x-request-id"] === undefined)
    return [{ rule: "undescribed", text: `the validator did not pass an answer on: ${status} ${text.slice(0, 300)}` }];
  const told = headers[HEADER];
  if (told === undefined) return [];
  // More than a header holds is cut off, with a word before it: mostly a bad request of many fields.
  if (!told.startsWith("["))
    return told.includes('"location":["response"')
      ? [{ rule: "undescribed", text: `${status}: ${told.slice(0, 600)}` }]
      : [];
  const found = violations.parse(JSON.parse(told)).filter(({ location: [part] }) => part === "response");
  return found.map(({ location, message }) => ({
    rule: "undescribed",
    text: `${status}, ${location.slice(1).join(".")}: ${message}: ${text.slice(0, 300)}`,
  }));
}

/** The families of requests that it passes on: what is asked is wrong, not how. */
export const WELL_FORMED = [
  "nothing wrong",
  "a value that is not what the field takes",
  "a field that is missing, unknown or there twice",
];

/** Prism ends at a character of another script in what it tells of a violation. */
const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text) && !text.includes("\\u");

const isPlainPart = (part: string) => {
  try {
    return isPlain(decodeURIComponent(part));
  } catch {
    return false;
  }
};

/** Whether the proxy passes the request on. */
export const isPassedOn = (request: FuzzRequest) =>
  request.query.every(isPlainPart) && isPlain(bodyBytes(request)?.toString() ?? "");
