"use client";
import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Sent } from "@/lib/contracts/endpoint.ts";
import { useState } from "react";
import { useAction } from "./use-action.ts";

type Begins = typeof accountsApi.startConnection | typeof accountsApi.connectAgain;

/** Begins a connection and leads the person to Alpaca. Busy until the page is left. */
export function useAlpacaAuthorization<E extends Begins>(endpoint: E) {
  const action = useAction<Begins>(endpoint);
  const [isLeaving, setLeaving] = useState(false);
  return {
    begin: (input: Sent<E>, onFailure?: (message: string) => void) =>
      action.run(input as Sent<Begins>, {
        onSuccess: ({ authorizeUrl }) => {
          setLeaving(true);
          window.location.assign(authorizeUrl);
        },
        onFailure: ({ message }) => onFailure?.(message),
      }),
    isBusy: action.isBusy || isLeaving,
    failure: action.failure,
  };
}
