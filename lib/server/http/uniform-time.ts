import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Endpoint, Given } from "@/lib/contracts/endpoint.ts";
import type { Service } from "./serve.ts";

const PAUSE_MS = 400;
const JITTER_MS = 100;

/** How long an answer takes at least; longer than the work, so that the work does not show. */
export type Pause = () => Promise<unknown>;
export const uniformPause: Pause = () => wait(PAUSE_MS + randomInt(JITTER_MS));

/** Wraps a service whose duration, not its answer, would reveal who has an account. */
export function inUniformTime<E extends Endpoint>(service: Service<E>, pause: Pause = uniformPause): Service<E> {
  return async (context, input) => {
    const [outcome] = await Promise.allSettled([service(context, input), pause()]);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  };
}

/** The same for a service whose failures alone would reveal it; a success is answered at once. */
export function failInUniformTime<E extends Endpoint, G extends Given<E> = Given<E>>(
  service: Service<E, G>,
  pause: Pause = uniformPause,
): Service<E, G> {
  return async (context, input) => {
    const over = pause();
    try {
      return await service(context, input);
    } catch (error) {
      await over;
      throw error;
    }
  };
}
