import type { ReactNode } from "react";
import type { CallError } from "@/lib/client/api.ts";
import { Banner } from "../../../_ui/banner.tsx";
import { Button } from "../../../_ui/button.tsx";

interface PreviewStepProps {
  isBusy: boolean;
  failure: CallError | null;
  onPreview: () => void;
  /** What would change, line by line; null until it was read. */
  children: ReactNode;
}

/** What a booking would change, read from the broker before it can be confirmed. */
export function PreviewStep({ isBusy, failure, onPreview, children }: PreviewStepProps) {
  return (
    <>
      <div>
        <Button tone="secondary" disabled={isBusy} onClick={onPreview}>
          {isBusy ? "Reading the broker..." : "Preview"}
        </Button>
      </div>
      {failure !== null && (
        <Banner kind="failure" detail={failure.message}>
          No preview
        </Banner>
      )}
      {children !== null && (
        <ul aria-label="What changes" className="flex list-disc flex-col gap-1 pl-5 text-sm">
          {children}
        </ul>
      )}
    </>
  );
}
