import { Banner } from "./banner.tsx";

interface FailureNoteProps {
  text: string;
  detail?: string | undefined;
  onRetry: () => void;
}

/** Something could not be read: what was shown before stays, and asking again is one click. */
export function FailureNote({ text, detail, onRetry }: FailureNoteProps) {
  return (
    <Banner
      kind="failure"
      detail={detail === undefined || detail === text ? undefined : detail}
      action={
        <button type="button" onClick={onRetry} className="min-h-6 rounded-sm font-medium underline underline-offset-4">
          Retry
        </button>
      }
    >
      {text}
    </Banner>
  );
}
