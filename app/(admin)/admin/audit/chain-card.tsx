"use client";
import { Download, ShieldCheck } from "lucide-react";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { AUDIT_BOUNDS, auditApi } from "@/lib/contracts/audit.ts";
import { logsApi } from "@/lib/contracts/logs.ts";
import { countText } from "@/lib/domain/format.ts";
import { useAction } from "../../../_hooks/use-action.ts";
import { useDownload } from "../../../_hooks/use-download.ts";
import { Banner } from "../../../_ui/banner.tsx";
import { Bar } from "../../../_ui/bar.tsx";
import { Button } from "../../../_ui/button.tsx";
import { Card } from "../../../_ui/card.tsx";
import { TextField } from "../../../_ui/field.tsx";
import { Time } from "../../../_ui/time.tsx";

type Verdict = Answer<typeof auditApi.verify>;

/** Whether the trail is as it was written, and the trail to verify elsewhere. */
export function ChainCard() {
  return (
    <Card title="Proof of the trail">
      <div className="grid gap-6 lg:grid-cols-2">
        <Verification />
        <Export />
      </div>
    </Card>
  );
}

/** Verifies the chain part by part. */
function useVerification() {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [wasStopped, setStopped] = useState(false);
  /** Signed heads that the parts so far were compared with. */
  const [anchored, setAnchored] = useState(0);
  const verify = useAction(auditApi.verify, { refreshes: [logsApi.auditAll] });
  function run(from: number) {
    setStopped(false);
    verify.run(from === 1 ? {} : { from }, {
      onSuccess: (answer) => {
        setVerdict(answer);
        setAnchored((before) => (from === 1 ? 0 : before) + answer.anchors.compared);
        if (answer.ok && answer.next !== null) run(answer.next);
      },
      onFailure: () => setStopped(true),
    });
  }
  return {
    verdict,
    anchored,
    failure: verify.isBusy ? null : verify.failure,
    isGoingOn: verify.isBusy || (!wasStopped && verdict?.ok === true && verdict.next !== null),
    start: () => {
      setVerdict(null);
      run(1);
    },
    continueVerification: () => run(verdict?.next ?? 1),
  };
}

/** Between parts it says how far it is. */
function Verification() {
  const { verdict, anchored, failure, isGoingOn, start, continueVerification } = useVerification();
  const done = verdict === null ? 0 : verdict.from + verdict.rows - 1;
  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      <p className="max-w-prose text-muted">
        Every event carries the hash of the one before it. Verifying reads all of them and names the first one that was
        edited, removed or added from outside.
      </p>
      <Button onClick={start} disabled={isGoingOn}>
        <ShieldCheck aria-hidden className="size-4" />
        {isGoingOn ? "Verifying..." : "Verify the chain"}
      </Button>
      <div className="flex w-full flex-col gap-3" aria-live="polite">
        {isGoingOn && verdict !== null && (
          <Bar
            label="Verified"
            fraction={done / Math.max(1, verdict.last)}
            text={`${countText(done)} of ${countText(verdict.last)} events`}
          />
        )}
        {failure !== null && (
          <Banner
            kind="failure"
            action={
              verdict?.next != null && (
                <Button tone="secondary" onClick={continueVerification}>
                  Continue verification
                </Button>
              )
            }
          >
            {failure.message}
          </Banner>
        )}
        {!isGoingOn && verdict?.ok === true && verdict.next === null && (
          <Banner
            kind="success"
            detail={
              <>
                {countText(done)} events, verified <Time at={verdict.verifiedAt} />.{" "}
                {anchored === 0
                  ? "There was no signed head to compare them with."
                  : `They agree with ${countText(anchored)} signed ${anchored === 1 ? "head" : "heads"} kept outside the database.`}
              </>
            }
          >
            The chain is intact: every event is as it was written.
          </Banner>
        )}
        {!isGoingOn && verdict !== null && <DamagedAnchors count={verdict.anchors.unreadable} />}
        {verdict?.firstBad != null && (
          <Banner kind="failure" detail="Export the trail now, and compare it with an earlier export or a backup.">
            {`The chain is broken. ${verdict.firstBad.text}`}
          </Banner>
        )}
      </div>
    </div>
  );
}

/** Lines of the file of signed heads that cannot be read as one. Damage here may hide a changed event. */
function DamagedAnchors({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Banner
      kind="warning"
      detail="They were changed or cut off, and prove nothing. Compare the file with a copy that was kept elsewhere."
    >
      {count === 1
        ? "1 line of the file of signed heads is not a head that this installation signed"
        : `${countText(count)} lines of the file of signed heads are not heads that this installation signed`}
    </Banner>
  );
}

const numberOf = (text: string) => (text.trim() === "" ? undefined : Number(text));

function Export() {
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const file = useDownload(auditApi.export);
  const issueOf = (path: string) => file.failure?.issues.find((issue) => issue.path === path)?.message;
  const [first, last] = [numberOf(from), numberOf(to)];
  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      <p className="max-w-prose text-muted">
        The trail as a file for the offline verifier (scripts/verify-audit.mjs), {countText(AUDIT_BOUNDS.exported)}{" "}
        events at most. Personal details stay encrypted.
      </p>
      <div className="flex flex-wrap items-start gap-3">
        <div className="w-32">
          <TextField
            label="From number"
            inputMode="numeric"
            placeholder="1"
            error={issueOf("from")}
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
        </div>
        <div className="w-32">
          <TextField
            label="To number"
            inputMode="numeric"
            placeholder="the last"
            error={issueOf("to")}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        <Button
          tone="secondary"
          className="mt-6.5"
          disabled={file.isBusy}
          onClick={() =>
            file.run({ ...(first === undefined ? {} : { from: first }), ...(last === undefined ? {} : { to: last }) })
          }
        >
          <Download aria-hidden className="size-4" />
          {file.isBusy ? "Preparing..." : "Export the trail"}
        </Button>
      </div>
      {file.failure !== null && file.failure.issues.length === 0 && (
        <Banner kind="failure">{file.failure.message}</Banner>
      )}
    </div>
  );
}
