import { CallError, guardCalls } from "./api.ts";

/** Asks the person to confirm that it is them; true once they have. */
type Ask = () => Promise<boolean>;

const NOT_CONFIRMED = "You did not confirm that it is you, so nothing was changed.";

/**
 * From here on, until the answer is called, a call that is refused for want of a recent confirmation has the person asked,
 * and is repeated once after they confirmed. Calls that are refused side by side share one question, and one that was sent
 * before a confirmation needs no other. Apart from `call`, so that public pages do without it.
 */
export function answerStepUp(ask: Ask): () => void {
  let asking: Promise<boolean> | null = null;
  let confirmations = 0;

  async function askPerson(): Promise<boolean> {
    try {
      const isConfirmed = await ask();
      if (isConfirmed) confirmations += 1;
      return isConfirmed;
    } finally {
      asking = null;
    }
  }

  return guardCalls(async (attempt) => {
    const since = confirmations;
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== "step_up_required") throw error;
      const isConfirmed = confirmations > since || (await (asking ??= askPerson()));
      if (isConfirmed) return attempt();
      throw new CallError(error.status, error.code, NOT_CONFIRMED);
    }
  });
}
