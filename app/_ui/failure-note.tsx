import { Banner } from "./banner.tsx";

interface FailureBannerProps {
  text: string;
  detail?: string | undefined;
}

interface FailureNoteProps extends FailureBannerProps {
  onRetry: () => void;
}

/** What was asked for could not be done: the form or dialog above which this stands is the way to try again. */
export function FailureBanner({ text, detail }: FailureBannerProps) {
  return (
    <Banner kind="failure" detail={detail}>
      {text}
    </Banner>
  );
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
