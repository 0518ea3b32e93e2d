"use client";
import { policyApi } from "@/lib/contracts/policy.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Badge } from "../../_ui/badge.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { SkeletonCard } from "../../_ui/skeleton.tsx";
import { Time } from "../../_ui/time.tsx";
import { PolicyHistory } from "./policy-history.tsx";
import { PolicySections } from "./policy-sections.tsx";
import { PolicyVersion } from "./policy-version.tsx";

/** The policy in force by its sections and the versions beside it; a version has its own address. */
export function PolicyTab() {
  const { values, open, close } = useUrlValues({ version: "", with: "" });
  if (values.version !== "")
    return (
      <PolicyVersion
        key={values.version}
        version={values.version}
        onOpen={(version) => open({ version, with: "" })}
        onClose={() => close({ version: "", with: "" })}
      />
    );
  return (
    <div className="flex flex-col gap-5">
      <PolicyInForce />
      <PolicyHistory onOpen={(version) => open({ version, with: "" })} />
    </div>
  );
}

/** Another administrator may put a version in force meanwhile. */
const POLL_MS = 30_000;

function PolicyInForce() {
  const policy = useEndpoint(policyApi.read, {}, { pollMs: POLL_MS });
  const { data, failure } = policy;
  return (
    <section aria-label="Policy in force" className="flex flex-col gap-4">
      {failure !== null && (
        <FailureNote text="Failed to load policy configuration" detail={failure.message} onRetry={policy.retry} />
      )}
      {data === undefined && failure === null && <SkeletonCard className="h-64" />}
      {data !== undefined && (
        <>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-lg font-semibold">Policy {data.version}</span>
            <Badge tone="gain">In force</Badge>
            <span className="text-sm text-muted">
              since <Time at={data.updated_at} />
            </span>
            {policy.isStale && <Badge tone="warn">stale</Badge>}
          </p>
          <PolicySections policy={data} />
        </>
      )}
    </section>
  );
}
