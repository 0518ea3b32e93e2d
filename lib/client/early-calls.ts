/**
 * Reads that the page's own HTML started while its code was on the way (app/_ui/early-calls-script.tsx). Each is for one
 * taker, and for the first moments only: what is asked for later wants a newer answer.
 */
interface EarlyCall {
  token: string;
  /** On the page's own clock, in ms since it was opened. */
  startedAt: number;
  response: Promise<Response>;
}

declare global {
  interface Window {
    /** By address, as `call` would ask for it. */
    earlyCalls?: Record<string, EarlyCall>;
  }
}

const FRESH_MS = 10_000;

/** The answer to this address that is on its way for this token, once; undefined where none is. */
export function takeEarlyCall(address: string, token: string | null): Promise<Response> | undefined {
  const early = window.earlyCalls?.[address];
  if (early === undefined) return undefined;
  delete window.earlyCalls?.[address];
  const isFresh = performance.now() - early.startedAt < FRESH_MS;
  return isFresh && early.token === token ? early.response : undefined;
}
