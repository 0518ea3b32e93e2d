"use client";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { answerStepUp } from "@/lib/client/step-up.ts";

const StepUpDialog = dynamic(() => import("./step-up-dialog.tsx").then((part) => part.StepUpDialog), { ssr: false });

/** The one place that asks a person to confirm that it is them, whatever call needs it (lib/client/api.ts). */
export function StepUp() {
  const [reply, setReply] = useState<((isConfirmed: boolean) => void) | null>(null);
  useEffect(() => {
    let pending: ((isConfirmed: boolean) => void) | null = null;
    const stop = answerStepUp(
      () =>
        new Promise((resolve) => {
          pending = (isConfirmed) => {
            pending = null;
            setReply(null);
            resolve(isConfirmed);
          };
          setReply(() => pending);
        }),
    );
    return () => {
      stop();
      // A page that goes leaves no call waiting.
      pending?.(false);
    };
  }, []);
  return reply && <StepUpDialog onConfirmed={() => reply(true)} onCancel={() => reply(false)} />;
}
