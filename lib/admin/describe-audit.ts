import type { Anchors } from "@/lib/server/audit/anchors.ts";
import type { AuditVerdict } from "@/lib/server/audit/verify-audit.ts";

/** What the verifier of the audit chain found, for the person at the command line. */
export function describeAudit({ ok, rows, firstBad }: AuditVerdict, { heads, unreadable }: Anchors): string[] {
  const anchored =
    heads.length === 0
      ? "No signed head was there to compare it with: that it was not rolled back is not proven."
      : `It agrees with all ${heads.length} signed heads of the anchor file.`;
  const others = unreadable === 0 ? [] : [`Lines of the anchor file that are not a head signed here: ${unreadable}.`];
  if (ok || firstBad === undefined)
    return [`The audit chain is whole: ${rows} row${rows === 1 ? "" : "s"}.`, anchored, ...others];
  const { anchor } = firstBad;
  const what = {
    edited: "is not as it was written, or stands in another row's place",
    missing: "is missing",
    cut: "and everything after it is cut off, or the remembered end of the chain is not ours",
    extra: "does not belong to the chain",
    rolled_back: `contradicts the head of row ${anchor?.seq} that was anchored at ${anchor?.at.toISOString()}: the chain was rolled back`,
  }[firstBad.problem];
  return [`The audit chain is BROKEN. Row ${firstBad.seq} ${what}.`, `Rows found right before it: ${rows}.`, ...others];
}
