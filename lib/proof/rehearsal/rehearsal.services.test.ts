import { afterAll, expect, it } from "vitest";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { rehearse } from "./rehearse.ts";

afterAll(() => closeSystem(systemContext("test")));

it("with Alpaca alone, the worker buys and sells through a US session: with keys on paper and with real money, and by consent", async () => {
  const report = await rehearse({ from: "2026-11-25", sessions: 1, everyMinutes: 120 }, () => undefined);
  expect(report.findings).toEqual([]);
  expect(report).toMatchObject({ sessions: ["2026-11-25"], looks: 4, statements: 3 });
  expect(report.bought).toBeGreaterThan(0);
  expect(report.tripsClosed).toBeGreaterThan(0);
}, 300_000);
