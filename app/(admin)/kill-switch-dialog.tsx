"use client";
import Link from "next/link";
import { useState, type ComponentProps } from "react";
import type { killSwitchApi } from "@/lib/contracts/kill-switch.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { CallError } from "@/lib/client/api.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { Badge, EnvironmentBadge } from "../_ui/badge.tsx";
import { TextButton } from "../_ui/button.tsx";
import { FailureNote } from "../_ui/failure-note.tsx";
import { SelectField, TextField } from "../_ui/field.tsx";
import { NoteBanner } from "../_ui/note-banner.tsx";
import { SkeletonRows } from "../_ui/skeleton.tsx";
import { Time } from "../_ui/time.tsx";
import { type KillTarget, KillForm } from "./kill-form.tsx";
import { Dialog } from "../_ui/dialog.tsx";

type KillSwitch = Answer<typeof killSwitchApi.read>;
type InForce = KillSwitch["inForce"][number];

type Note = Pick<ComponentProps<typeof NoteBanner>, "text" | "kind">;

interface Read {
  data: KillSwitch | undefined;
  failure: CallError | null;
  retry: () => void;
}

/** The target of a switch that is in force. */
function targetOf({ kind, label, userId, accountId, market, symbol, state }: InForce): KillTarget | null {
  if (kind === "system") return { scope: { kind }, label, inForce: state };
  if (kind === "user" && userId !== null) return { scope: { kind, userId }, label, inForce: state };
  if (kind === "account" && accountId !== null) return { scope: { kind, accountId }, label, inForce: state };
  return kind === "symbol" && market !== null && symbol !== null
    ? { scope: { kind, market, symbol }, label, inForce: state }
    : null;
}

const scopeKey = ({ scope }: KillTarget) => JSON.stringify(scope);

/** The kill states in force and who set them; one press and a typed word stop all accounts or a symbol, or lift a state. */
export function KillSwitchDialog({ read, onClose }: { read: Read; onClose: () => void }) {
  const { data, failure, retry } = read;
  const [note, setNote] = useState<Note | null>(null);
  const [chosen, setChosen] = useState<KillTarget | null>(null);
  // What is in force by now, not as it was chosen: nothing, once the row is gone.
  const now = data?.inForce.map(targetOf).find((each) => each && scopeKey(each) === (chosen && scopeKey(chosen)));
  const target = chosen && { ...chosen, inForce: now?.inForce ?? "NONE" };
  const tell = (text: string, kind: Note["kind"]) => {
    setNote({ text, kind });
    setChosen(null);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Kill switch"
      description="It applies from the next order on. Exits and protective stops always pass."
    >
      {note !== null && <NoteBanner {...note} />}
      {failure && <FailureNote text="Failed to load the kill switches" detail={failure.message} onRetry={retry} />}
      {data === undefined && failure === null && <SkeletonRows />}
      {data && data.inForce.length > 0 && (
        <InForceList rows={data.inForce} onChoose={(row) => setChosen(targetOf(row))} />
      )}
      {data && data.inForce.length === 0 && <p className="text-sm text-muted">No kill switch is in force.</p>}
      {target === null ? (
        <NewStop data={data} onClose={onClose} onDone={tell} />
      ) : (
        <KillForm key={scopeKey(target)} target={target} onCancel={() => setChosen(null)} onDone={tell} />
      )}
      <p className="text-sm text-muted">
        One person or account is stopped on{" "}
        <Link href="/admin/users" className="font-medium text-accent underline-offset-4 hover:underline">
          their page
        </Link>
        .
      </p>
      {data && data.history.length > 0 && <History rows={data.history} />}
    </Dialog>
  );
}

function InForceList({ rows, onChoose }: { rows: readonly InForce[]; onChoose: (row: InForce) => void }) {
  return (
    <ul aria-label="In force" className="divide-y divide-line rounded-lg border border-loss/30">
      {rows.map((row) => (
        <li key={`${row.kind} ${row.key}`} className="flex flex-col gap-1 px-4 py-3 text-sm">
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-medium wrap-anywhere">{row.label}</span>
            {row.environment && <EnvironmentBadge environment={row.environment} />}
            {row.market && <Badge>{row.market === "US" ? "US market" : "Practice market"}</Badge>}
            <Badge tone="loss">{row.state.toLowerCase().replaceAll("_", " ")}</Badge>
            <TextButton className="ml-auto" onClick={() => onChoose(row)}>
              Change
            </TextButton>
          </span>
          <span>{row.text}</span>
          <span className="text-muted wrap-anywhere">
            {row.reason ?? "No reason was given"}
            {row.by !== null && `, by ${row.by}`}
            {row.since !== null && (
              <>
                , since <Time at={row.since} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A new stop for every account, or for a symbol in one market. */
function NewStop({
  data,
  onClose,
  onDone,
}: {
  data: KillSwitch | undefined;
  onClose: () => void;
  onDone: (text: string, kind: Note["kind"]) => void;
}) {
  const [kind, setKind] = useState<"system" | "symbol">("system");
  const [symbol, setSymbol] = useState("");
  const [market, setMarket] = useState<MarketName>("US");
  const name = symbol.trim().toUpperCase();
  const inForce = data?.inForce.find((row) =>
    kind === "system" ? row.kind === kind : row.kind === kind && row.market === market && row.symbol === name,
  )?.state;
  const target: KillTarget | null =
    kind === "system"
      ? { scope: { kind }, label: "Every account", inForce: inForce ?? "NONE" }
      : name === ""
        ? null
        : { scope: { kind, market, symbol: name }, label: name, inForce: inForce ?? "NONE" };
  return (
    <>
      <SelectField
        label="Stop"
        value={kind}
        onChange={(event) => setKind(event.target.value as typeof kind)}
        options={[
          { value: "system", label: "Every account" },
          { value: "symbol", label: "A symbol, in every account" },
        ]}
      />
      {kind === "symbol" && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Symbol"
            value={symbol}
            autoComplete="off"
            onChange={(event) => setSymbol(event.target.value)}
          />
          <SelectField
            label="Market"
            value={market}
            onChange={(event) => setMarket(event.target.value as typeof market)}
            options={[
              { value: "US", label: "US market" },
              { value: "PRACTICE", label: "Practice market" },
            ]}
          />
        </div>
      )}
      <KillForm
        key={kind}
        target={target}
        onCancel={onClose}
        onDone={(text, of) => {
          setSymbol("");
          onDone(text, of);
        }}
      />
    </>
  );
}

function History({ rows }: { rows: KillSwitch["history"] }) {
  return (
    <details>
      <summary className="cursor-pointer text-sm font-medium">History</summary>
      <ul className="mt-2 divide-y divide-line text-sm" aria-label="History">
        {rows.map(({ id, at, text, by, whose }) => (
          <li key={id} className="flex flex-col gap-0.5 py-2">
            <span className="wrap-anywhere">{text}</span>
            <span className="text-muted wrap-anywhere">
              <Time at={at} />, by {by}
              {whose !== null && `, account owner ${whose}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
