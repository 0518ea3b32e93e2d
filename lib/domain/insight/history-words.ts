import { countText } from "../format.ts";

/** Why a market that is too young has no history of the strategies. */
export const tooFewSessions = (count: number, least: number): string =>
  `Too few sessions: ${count === 1 ? "1 session" : `${countText(count)} sessions`} of this market can be traded so far, and a history takes ${least}.`;
