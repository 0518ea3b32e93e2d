import type { automationApi } from "../../contracts/automation.ts";
import type { Answer } from "../../contracts/endpoint.ts";

/** The US market in a session. */
export const MARKET: Answer<typeof automationApi.market> = {
  market: "US",
  now: "2026-11-20T15:32:00.000Z",
  readAt: "2026-11-20T15:32:00.000Z",
  isOpen: true,
  nextOpen: "2026-11-23T14:30:00.000Z",
  nextClose: "2026-11-20T21:00:00.000Z",
  speed: 1,
};
