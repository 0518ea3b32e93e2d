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

/**
 * Times the speed of the clock: fast for journeys that wait for trades. All others wait for no cycle, and at the product's own sixty the
 * worker and its database would make one every five seconds beside them, on a quarter of a core; accounts are followed in wall time.
 */
const SPEEDS = { fast: 600, usual: 12 };

export const setPace = async (pace: keyof typeof SPEEDS): Promise<void> =>
  void (await control("POST", "/clock", { speed: SPEEDS[pace] }));
