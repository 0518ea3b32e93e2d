import * as z from "zod";
import { env } from "../env.ts";
import { readJson, urlOf } from "./fetch-json.ts";

/** Where Anthropic answers. */
export const ANTHROPIC_URL = "https://api.anthropic.com/v1";
const ANTHROPIC_VERSION = "2023-06-01";

const modelsOut = z.object({ data: z.array(z.object({ id: z.string() })).max(10_000) });

/** The list of models: it costs no words, and says whether the key holds and the model is known. */
export async function askInsightModel(): Promise<string> {
  const { INSIGHT_PROVIDER, INSIGHT_MODEL = "", INSIGHT_API_KEY: key, INSIGHT_URL } = env();
  const isAnthropic = INSIGHT_PROVIDER === "anthropic";
  const headers: Record<string, string> = isAnthropic
    ? { "x-api-key": key ?? "", "anthropic-version": ANTHROPIC_VERSION }
    : key === undefined
      ? {}
      : { authorization: `Bearer ${key}` };
  const url = urlOf(INSIGHT_URL ?? ANTHROPIC_URL, "/models", isAnthropic ? { limit: 1000 } : {});
  const call = { vendor: "Insight model", operation: "models" } as const;
  const { data } = await readJson(call, modelsOut, url, { headers, timeoutMs: 10_000 });
  const isKnown = data.some(({ id }) => id === INSIGHT_MODEL);
  return `It answers with ${data.length} models; ${INSIGHT_MODEL} is ${isKnown ? "one of them" : "not listed among them"}.`;
}
