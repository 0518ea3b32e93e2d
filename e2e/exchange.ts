import { expect } from "@playwright/test";
import { run, type Run } from "./run.ts";

/** Calls the control API of the practice market. */
export async function control(method: string, path: string, body?: object): Promise<{ id?: string }> {
  const { exchange, internal } = run() as Run & { internal: { controlToken: string } };
  const answer = await fetch(`${exchange}/_control${path}`, {
    method,
    headers: { "content-type": "application/json", "x-control-token": internal.controlToken },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status, `${method} ${path}`).toBeLessThan(300);
  return (await answer.json()) as { id?: string };
}

/** Times the speed of the clock: fast for journeys that wait for trades, the product's own for all others. */
const SPEEDS = { fast: 600, usual: 60 };

/** At its fast pace the market keeps a worker busy on every cycle, beside all other journeys. */
export const setPace = async (pace: keyof typeof SPEEDS): Promise<void> =>
  void (await control("POST", "/clock", { speed: SPEEDS[pace] }));
