"use client";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { policyApi } from "@/lib/contracts/policy.ts";
import { WHAT_IF_BOUNDS } from "@/lib/contracts/policy-what-if.ts";
import { whatIfHeadline } from "@/lib/domain/policy-text.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { TextField } from "../../_ui/field.tsx";
import { isUnderWay, RunStatus } from "../../_ui/run-progress.tsx";
import { Time } from "../../_ui/time.tsx";
import type { Version } from "./policy-version.tsx";
import { WhatIfReport } from "./policy-what-if-report.tsx";

type WhatIf = NonNullable<Answer<typeof policyApi.version>["whatIf"]>;

const { min, max, default: most } = WHAT_IF_BOUNDS.cycles;

/** What recorded cycles would have decided under this version: requested, followed, and reported in text and numbers. */
export function PolicyWhatIf({ version }: { version: Version }) {
  const { whatIf } = version;
  const [cycles, setCycles] = useState(String(most));
  const refreshes = [policyApi.version];
  const start = useAction(policyApi.startWhatIf, { refreshes });
  const cancel = useAction(policyApi.cancelWhatIf, { refreshes });
  const isOpen = whatIf !== null && isUnderWay(whatIf) && whatIf.isCurrent;
  const issue = start.failure?.issues.find(({ path }) => path === "cycles")?.message;
  return (
    <Card title="What-if on recorded cycles">
      <div className="flex flex-col gap-4">
        <p className="max-w-prose text-sm text-muted">
          The latest recorded cycles are decided again, under their own policy and under this version. Nothing is
          traded.
        </p>
        <div className="flex flex-wrap items-end gap-3">
          <div className="w-40">
            <TextField
              label="Cycles"
              inputMode="numeric"
              hint={`${min} to ${max}, the latest`}
              error={issue}
              value={cycles}
              onChange={(event) => setCycles(event.target.value)}
            />
          </div>
          <Button
            className="mb-7"
            disabled={isOpen || start.isBusy}
            onClick={() => start.run({ version: version.version, revision: version.revision, cycles: Number(cycles) })}
          >
            Run what-if
          </Button>
          {isOpen && (
            <Button
              className="mb-7"
              tone="secondary"
              disabled={cancel.isBusy}
              onClick={() => cancel.run({ id: whatIf.id })}
            >
              Cancel
            </Button>
          )}
        </div>
        {start.failure !== null && issue === undefined && <Banner kind="failure">{start.failure.message}</Banner>}
        {cancel.failure !== null && <Banner kind="failure">{cancel.failure.message}</Banner>}
        {whatIf === null ? (
          <p className="text-sm text-muted">This version has not been tried yet.</p>
        ) : (
          <>
            <WhatIfState whatIf={whatIf} />
            {whatIf.version !== version.version && (
              <p className="text-sm text-muted">Run for version {whatIf.version}, which has the same fields.</p>
            )}
            {!whatIf.isCurrent && (
              <Banner kind="warning">The draft was edited since: this what-if tried an older revision.</Banner>
            )}
            {whatIf.report !== null && (
              <>
                <p className="font-medium">{whatIfHeadline(whatIf.report)}</p>
                <WhatIfReport report={whatIf.report} />
              </>
            )}
          </>
        )}
      </div>
    </Card>
  );
}

function WhatIfState({ whatIf }: { whatIf: WhatIf }) {
  const { createdAt, finishedAt, error } = whatIf;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm" aria-live="polite">
      <RunStatus run={whatIf} unit="decisions" reading="Reading cycles..." />
      <span className="text-muted">
        asked for <Time at={createdAt} />
        {finishedAt !== null && (
          <>
            , ended <Time at={finishedAt} />
          </>
        )}
      </span>
      {error !== null && <p className="basis-full">{error}</p>}
    </div>
  );
}
