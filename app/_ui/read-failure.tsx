import type { CallError } from "@/lib/client/api.ts";
import { Empty } from "./empty.tsx";
import { FailureNote } from "./failure-note.tsx";

interface ReadFailureProps {
  /** What was to be read: "trade". */
  noun: string;
  /** Why there may be none of that address. */
  absence: string;
  failure: CallError | null;
  onRetry: () => void;
}

/** Why one thing cannot be shown: it is not there, or it could not be read and may be asked for again. */
export function ReadFailure({ noun, absence, failure, onRetry }: ReadFailureProps) {
  if (failure === null) return null;
  if (failure.status === 404 || failure.status === 400)
    return <Empty title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`} hint={absence} />;
  return <FailureNote text={`Failed to load the ${noun}`} detail={failure.message} onRetry={onRetry} />;
}
