"use client";
import { useState } from "react";
import { Button } from "./button.tsx";

/** Shows the result: browsers may refuse the clipboard. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [outcome, setOutcome] = useState("");
  async function copy() {
    try {
      await window.navigator.clipboard.writeText(text);
      setOutcome("Copied.");
    } catch {
      setOutcome("Your browser did not allow copying. Please select the text.");
    }
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Button tone="secondary" onClick={() => void copy()}>
        {children}
      </Button>
      <span role="status" className="text-sm text-muted">
        {outcome}
      </span>
    </span>
  );
}
