import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { alpacaData } from "./alpaca-data.ts";

let asked: URL[];
/** What the next question is answered with. */
let answerTo: (url: URL) => { status?: number; body: unknown };
vi.stubGlobal("fetch", (url: URL) => {
  asked.push(url);
  const { status = 200, body } = answerTo(url);
  return Promise.resolve(new Response(JSON.stringify(body), { status }));
});
beforeAll(useLeastEnv);
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  asked = [];
});

const at = (feed: string) =>
  alpacaData({ tradingUrl: "http://alpaca", dataUrl: "http://alpaca", feed, keyId: "k", secret: "s" });

describe("feeds", () => {
  it.each(["iex", "sip", "delayed_sip"])(
    "with quotes of %s the bars of the past are the consolidated tape's",
    async (feed) => {
      answerTo = ({ pathname }) => ({ body: pathname.endsWith("bars") ? { bars: {} } : {} });
      await at(feed).dailyBars(["ABC"], "2026-01-02", "2026-11-24");
      await at(feed).snapshots(["ABC"]);
      expect(asked.map(({ searchParams }) => searchParams.get("feed"))).toEqual(["sip", feed]);
    },
  );
});
