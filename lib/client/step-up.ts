/** Asks the person to confirm that it is them; true once they have. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;
let confirmed = 0;

/** Registers who asks, until the answer is called: the frame of the signed-in pages (app/_ui/step-up.tsx). */
export function answerStepUp(by: Ask): () => void {
  ask = by;
  return () => {
    if (ask === by) ask = null;
  };
}

/** How often the person has confirmed on this page, for `askForStepUp`. */
export const confirmations = (): number => confirmed;

/**
 * Has the person confirm that it is them. Calls that are refused side by side share one question, and one that was sent
 * before a confirmation, `since`, needs no other. Null where no part of the page can ask: the refusal itself is shown then.
 */
export function askForStepUp(since: number): Promise<boolean> | null {
  if (confirmed > since) return Promise.resolve(true);
  if (asking === null && ask !== null) {
    asking = ask()
      .then((isConfirmed) => {
        if (isConfirmed) confirmed += 1;
        return isConfirmed;
      })
      .finally(() => {
        asking = null;
      });
  }
  return asking;
}
