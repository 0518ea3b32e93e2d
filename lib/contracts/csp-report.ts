import * as z from "zod";
import { endpoint } from "./endpoint.ts";

const text = z.string().max(8_000).nullish();

export const cspReportApi = {
  send: endpoint({
    method: "POST",
    path: "/csp-report",
    access: "public",
    limit: "api",
    summary: "Browsers report what the content security policy of a page stopped.",
    mediaType: "application/csp-report",
    input: z.strictObject({
      // Not strict: browsers add fields as they please, and what is not named here is left out.
      "csp-report": z.object({
        "document-uri": text,
        "blocked-uri": text,
        "effective-directive": text,
        "source-file": text,
        "line-number": z.number().nullish(),
      }),
    }),
    output: z.object({ received: z.literal(true) }),
  }),
};
