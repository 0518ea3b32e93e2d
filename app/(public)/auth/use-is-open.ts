"use client";
import { useEffect, useState } from "react";
import { call } from "@/lib/client/api.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";

/**
 * Whether a link can still set a new password; null until it is known, and without a link. One that cannot be asked about counts as open:
 * using it tells.
 */
export function useIsOpen(resetToken: string | null): boolean | null {
  const [isOpen, setOpen] = useState<boolean | null>(null);
  useEffect(() => {
    if (resetToken === null) return undefined;
    const controller = new AbortController();
    call(authCalls.checkResetLink, { token: resetToken }, { signal: controller.signal }).then(
      (answer) => setOpen(answer.isOpen),
      () => !controller.signal.aborted && setOpen(true),
    );
    return () => controller.abort();
  }, [resetToken]);
  return isOpen;
}
