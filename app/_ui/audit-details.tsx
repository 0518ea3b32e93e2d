"use client";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { logsApi } from "@/lib/contracts/logs.ts";
import { AmountsText } from "./money.tsx";

export type AuditEvent = Answer<typeof logsApi.audit>["auditLogs"][number];

interface AuditDetailsProps {
  event: AuditEvent;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

const GONE = {
  erased: "This user was erased: personal details can no longer be read.",
  unreadable: "Personal details cannot be read: their key is missing.",
} as const;

/** Facts that are amounts, by their names. */
const OF_MONEY = /price|value|equity|cash|amount|notional|fee|pnl|size|deposit|before|after/i;

/** The facts of an event, as they are proven. */
export function AuditDetails({ event, isOpen, onToggle }: AuditDetailsProps) {
  return (
    <details
      open={isOpen}
      onToggle={(toggled) => onToggle(toggled.currentTarget.open)}
      className="text-xs open:basis-full"
    >
      <summary className="tap w-fit cursor-pointer rounded-sm py-0.5 text-muted hover:text-ink">Details</summary>
      <dl className="mt-1 grid max-w-prose grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-lg bg-sunken p-3">
        {factsOf(event).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      {event.closed !== null && <p className="mt-1 text-muted">{GONE[event.closed]}</p>}
    </details>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className={`wrap-anywhere ${OF_MONEY.test(name) ? "amount" : ""}`}>
        <AmountsText text={value} />
      </dd>
    </>
  );
}

function factsOf({ id, eventType, ipAddress, eventData }: AuditEvent): [string, string][] {
  return [
    ["Number", id],
    ["Event", eventType],
    ...(ipAddress === null ? [] : ([["IP address", ipAddress]] as [string, string][])),
    ...Object.entries(eventData).map(([name, value]): [string, string] => [plainName(name), plainValue(value)]),
  ];
}

/** "clientOrderId" → "Client order id" */
function plainName(name: string): string {
  const spaced = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** A change reads "3 → 4"; what is nested deeper is shown as JSON. */
function plainValue(value: unknown): string {
  if (value === null || value === "") return "—";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" || typeof value === "number") return String(value);
  const change = value as { from?: unknown; to?: unknown };
  if (typeof value === "object" && "from" in value && "to" in value) {
    return `${plainValue(change.from)} → ${plainValue(change.to)}`;
  }
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return value.length === 0 ? "—" : value.join(", ");
  }
  return JSON.stringify(value);
}
