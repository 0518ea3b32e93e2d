"use client";
import { policyApi } from "@/lib/contracts/policy.ts";
import { useEndpoint } from "../_hooks/use-endpoint.ts";

const DEFAULT_VERSION = "2.9.0";

/** The version of the policy in force, or the specification's default before it is known. */
export function usePolicyVersion(): string {
  const policy = useEndpoint(policyApi.read, {}, { pollMs: 30_000 });
  return policy.data?.version ?? DEFAULT_VERSION;
}
