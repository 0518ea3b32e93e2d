"use client";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { SHOWS_ACCOUNTS } from "./shows-accounts.ts";
import { useAction } from "./use-action.ts";

/** One click opens an account on the practice market; everything that shows accounts is read again. */
export function usePracticeAccount() {
  return useAction(accountsApi.addPractice, { refreshes: SHOWS_ACCOUNTS });
}
