import { afterEach, expect, it, vi } from "vitest";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { forgetEnv } from "../env.ts";
import { PROBES } from "./probes.ts";

useLeastEnv();

const NOW = new Date("2026-11-27T14:00:00Z");
const ask = (name: string) => PROBES.find(({ provider }) => provider === name)!.ask(NOW);
const answering = (...answers: (object | string)[]) =>
  vi.stubGlobal("fetch", () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return Promise.resolve(typeof answer === "string" ? new Response(answer) : Response.json(answer));
  });
afterEach(() => {
  vi.unstubAllGlobals();
  delete process.env.FINNHUB_TOKEN;
  forgetEnv();
});

it("a plan without the earnings calendar does not pass for one that works: screening takes such an answer for none", async () => {
  process.env.FINNHUB_TOKEN = "token";
  forgetEnv();
  answering({ c: 600, pc: 599, t: 1_795_000_000 }, { earningsCalendar: [] });
  await expect(ask("Finnhub")).rejects.toThrow(/no report/);
});

it.each([
  ["11/25/2026", "The VIX answers: 14 on 2026-11-25."],
  ["11/20/2026", "The VIX's last close is of 2026-11-20, which is too old to count."],
])("a VIX whose last close is of %s: %s", async (date, says) => {
  answering(`DATE,OPEN,HIGH,LOW,CLOSE\n${date},13,15,12,14\n`);
  expect(await ask("CBOE").catch((error: unknown) => (error as Error).message)).toBe(says);
});
