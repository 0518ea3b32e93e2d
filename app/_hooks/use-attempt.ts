"use client";
import { useRef, useState } from "react";
import { CallError } from "@/lib/client/api.ts";

/** Work of several calls, or of a call and the browser: one at a time. `useAction` is for one call of a contract. */
export function useAttempt() {
  const isUnderWay = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallError | null>(null);

  /** `work` throws CallError. Answers whether it was done. */
  async function run(work: () => Promise<void>): Promise<boolean> {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setBusy(true);
    setFailure(null);
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(error);
      return false;
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  }

  return { run, isBusy, failure };
}
