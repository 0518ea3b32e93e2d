/** Asks the person to confirm that it is them; true once they have. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;

/** Registers who asks, until the answer is called: the frame of the signed-in pages (app/_ui/step-up.tsx). */
export function answerStepUp(by: Ask): () => void {
  ask = by;
  return () => {
    if (ask === by) ask = null;
  };
}

/**
 * Has the person confirm that it is them. Calls that are refused at once share one question. Null where no part of the page
 * can ask: the refusal itself is shown then.
 */
export function askForStepUp(): Promise<boolean> | null {
  if (asking === null && ask !== null) {
    asking = ask().finally(() => {
      asking = null;
    });
  }
  return asking;
}
