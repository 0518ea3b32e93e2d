"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { CallError } from "@/lib/client/api.ts";
import { Banner } from "./banner.tsx";
import { ButtonLink } from "./button-link.tsx";

const isMissingFactor = (error: unknown) =>
  error instanceof CallError && error.code === "second_factor_required_of_admin";

/** Leads an administrator without the required second factor to where it is set up, wherever a page was refused for it. */
export function FactorNotice() {
  const cache = useQueryClient().getQueryCache();
  const isRefused = useSyncExternalStore(
    useCallback((onChange: () => void) => cache.subscribe(onChange), [cache]),
    () => cache.getAll().some((query) => query.isActive() && isMissingFactor(query.state.error)),
    () => false,
  );
  if (!isRefused) return null;
  return (
    <div className="mb-4">
      <Banner
        kind="warning"
        detail="Set up an authenticator app or a passkey, and the console opens."
        action={
          <ButtonLink href="/security" tone="secondary">
            Set up a second factor
          </ButtonLink>
        }
      >
        Administrators must have a second factor
      </Banner>
    </div>
  );
}
