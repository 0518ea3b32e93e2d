import type { CallError } from "@/lib/client/api.ts";

/** It is not known whether the server did it: the same request may go out again, and makes no second order. */
export const isUnsure = (failure: CallError | null) =>
  failure !== null && (failure.status === 0 || failure.status >= 500);

/** Keeps the answer; a request is settled by it, and by a failure that says that nothing was done. */
export const settling = <T>(keep: (answer: T) => void, onSettled: () => void) => ({
  onSuccess: (answer: T) => {
    keep(answer);
    onSettled();
  },
  onFailure: (failure: CallError) => {
    if (!isUnsure(failure)) onSettled();
  },
});
