import * as z from "zod";
import { PRACTICE_SPEEDS } from "@/lib/domain/enums.ts";
import { instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { reasonNeededIn } from "./kill-switch.ts";

const at = { access: "admin", limit: "admin", path: "/admin/practice-market" } as const;

const marketOut = z.object({
  name: z.string(),
  /** market time */
  now: instantOut,
  isOpen: z.boolean(),
  nextOpen: instantOut,
  speed: z.number(),
  isPaused: z.boolean(),
  /** Why its clock cannot be changed now, in words; null where it can. */
  fixed: z.string().nullable(),
});

export const practiceMarketApi = {
  read: endpoint({
    ...at,
    method: "GET",
    summary: "The clock of the practice market, which everyone in this installation shares.",
    input: z.strictObject({}),
    output: z.object({
      /** Null where there is none, or while it does not answer. */
      market: marketOut.nullable(),
      /** Why there is none, in words. */
      absence: z.string().nullable(),
      /** False where the installation has no practice market at all. */
      isSetUp: z.boolean(),
    }),
  }),
  steer: endpoint({
    ...at,
    method: "POST",
    stepUp: true,
    summary:
      "Set the speed of the practice market, pause or continue it, or skip to its next opening while it is closed. It is shared by everyone: nothing moves while it is paused.",
    input: z.discriminatedUnion("action", [
      z.strictObject({
        action: z.literal("speed"),
        speed: z.union(
          PRACTICE_SPEEDS.map((speed) => z.literal(speed)),
          `Choose a speed of ${PRACTICE_SPEEDS.join(", ")}.`,
        ),
        reason: reasonNeededIn,
      }),
      z.strictObject({ action: z.enum(["pause", "continue", "skip"]), reason: reasonNeededIn }),
    ]),
    /** isChanged: false when it was so already. */
    output: z.object({ isChanged: z.boolean(), market: marketOut }),
  }),
};
