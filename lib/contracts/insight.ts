import * as z from "zod";
import { instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentIn, environmentScopeOut } from "./environment.ts";

/** Text in pieces, so that a screen can cover the amounts in it; joined they are the text. */
const textOut = z.array(
  z.object({
    text: z.string(),
    /** True for an amount of the person's money. */
    isAmount: z.boolean(),
  }),
);

export const insightApi = {
  daily: endpoint({
    method: "GET",
    path: "/insight/daily",
    access: "user",
    limit: "api",
    summary: "The insight of the day: what the records say about the latest session of one environment.",
    input: z.strictObject(environmentIn),
    output: z.object({
      ...environmentScopeOut,
      /** False while `ai_insights` is off: then there is no brief. */
      isOn: z.boolean(),
      /** Null before the first record, too. */
      brief: z
        .object({
          /** New York date of market time. */
          session: z.iso.date(),
          /** The session has ended. */
          isClosed: z.boolean(),
          /** Market time of the oldest reading in the figures. */
          asOf: instantOut,
          headline: textOut,
          sentences: z.array(
            z.object({
              parts: textOut,
              /** The records that it tells of: never none. */
              cites: z.array(z.object({ label: z.string(), href: z.string() })).min(1),
            }),
          ),
          /** Who put the records into words. */
          writer: z.enum(["TRADEWIND"]),
        })
        .nullable(),
    }),
  }),
};
