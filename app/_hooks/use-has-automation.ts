"use client";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { useEndpoint } from "./use-endpoint.ts";

const POLL_MS = 30_000;

/**
 * Whether anything runs for the signed-in trader. Where the accounts cannot be read it is taken to run: stopping must
 * always be possible. False until they are read.
 */
export function useHasAutomation(isTrader: boolean): boolean {
  const accounts = useEndpoint(accountsApi.list, {}, { pollMs: POLL_MS, isEnabled: isTrader });
  if (accounts.data === undefined) return accounts.failure !== null;
  return accounts.data.some(({ status }) => status !== "INACTIVE");
}
