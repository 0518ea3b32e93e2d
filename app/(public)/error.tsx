"use client";
import { FailureNote } from "../_ui/failure-note.tsx";

/**
 * In the place of a public page that could not be drawn; the frame stays. The second try loads the page whole: what the server
 * failed to give, the router would show again as it was.
 */
export default function PublicError() {
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-10 sm:px-6">
      <FailureNote
        text="This page could not be shown"
        detail="An error occurred while it was drawn. Trading is not affected, and the other pages can be opened."
        onRetry={() => window.location.reload()}
      />
    </div>
  );
}
