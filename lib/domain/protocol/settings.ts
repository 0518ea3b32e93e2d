/** The times and counts of the order protocol. Milliseconds of wall time unless a name says otherwise. */

/**
 * The version of the order protocol that this build speaks. Raise it when two builds must not send for the same accounts
 * at once: other gates, other states of an intent, another way of placing stops.
 */
export const ORDER_PROTOCOL = 2;

/** Longer than the broker's request timeout: past it, no process waits for an answer. */
export const SUBMIT_DEADLINE_MS = 15_000;

/** An entry that stands partly filled for this long, or a sale that leaves shares bare, is cancelled to protect what is held. */
export const FILLING_MS = 20_000;

/** Bare shares whose number differs in the broker's books are sold through their stop after this: ours are read every few seconds. */
export const BOOKS_READ_MS = 30_000;

/**
 * A mark may be this old when its request leaves: a switch thrown since is asked for again. With the wait for the request
 * budget after it, no order leaves later than a second after a stop.
 */
export const FRESH_MARK_MS = 500;

/** How long after one question the next one is asked. */
export const ASK_AFTER_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000] as const;

/** Not found for this long after it was sent: parked. Longer than the request timeout and the longest late accept. */
export const SETTLE_WINDOW_MS = 60_000;

/**
 * Settle windows of wall time before a parked order may expire, besides the end of its session: a market may be
 * closed a second after the order was sent, and a fast one skips its nights.
 */
export const EXPIRE_AFTER_WINDOWS = 10;

/** How often a parked order is asked for. */
export const PARKED_ASK_MS = 60_000;

/** From the record to the mark there are only local steps and a few reads of the broker. */
export const UNSENT_DEADLINE_MS = 60_000;

/** Market milliseconds read again before a watermark or a decision: late rows are found, known ones change nothing. */
export const WATERMARK_OVERLAP_MS = 600_000;

/** Requests for one order that the broker may answer with 429 before the leg is withdrawn. */
export const MOST_REQUESTS = 4;

/** A broker's limit resets on a whole second: one more makes sure that it is past. */
export const AFTER_RESET_MS = 1_000;

/** Spread of the waits of many accounts that have to wait for the same moment. */
export const JITTER_MS = 500;

/** However long the broker asks to wait. */
export const LONGEST_THROTTLE_MS = 60_000;
