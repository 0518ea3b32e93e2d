import * as z from "zod";
import { TODAY_EVENTS } from "@/lib/domain/enums.ts";
import { instantOut, moneyOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { textOut } from "./insight.ts";
import { portfolioApi, positionOut } from "./portfolio.ts";

/** A sentence without the addresses of its records, which a visitor cannot open. */
const sentenceOut = z.object({ parts: textOut });

const { points, benchmark } = portfolioApi.equity.output.shape;

/** No id stands in it: neither of the account nor of a trade or decision. */
export const demoApi = {
  read: endpoint({
    method: "GET",
    path: "/demo",
    access: "public",
    limit: "api",
    summary:
      "The demo trader's account on the practice market, open to visitors without an account. 404 where there is none.",
    input: z.strictObject({}),
    output: z.object({
      /** New York date of market time; null before the first record. */
      session: z.iso.date().nullable(),
      /** Market time of the reading in the figures. */
      asOf: instantOut.nullable(),
      headline: textOut,
      sentences: z.array(sentenceOut),
      totalValue: moneyOut,
      pnlDay: moneyOut,
      pnlTotal: moneyOut,
      cash: moneyOut,
      points,
      benchmark,
      positions: z.array(positionOut.omit({ accountId: true, environmentLabel: true, strategy: true })),
      /** Oldest first. */
      timeline: z.array(
        z.object({ kind: z.enum(TODAY_EVENTS), at: instantOut, until: instantOut.nullable(), parts: textOut }),
      ),
      /** The latest purchase and why it was made; null before the first. */
      purchase: z.object({ symbol: z.string(), at: instantOut, sentences: z.array(sentenceOut) }).nullable(),
    }),
  }),
};
