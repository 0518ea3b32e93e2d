import type { AuditVerdict } from "@/lib/server/audit/verify-audit.ts";

/** What the verifier of the audit chain found, for the person at the command line. */
export function auditInWords({ ok, rows, firstBad }: AuditVerdict): string[] {
  if (ok || firstBad === undefined) return [`The audit chain is whole: ${rows} row${rows === 1 ? "" : "s"}.`];
  const what = {
    edited: "is not as it was written, or stands in another row's place",
    missing: "is missing",
    cut: "and everything after it is cut off, or the remembered end of the chain is not ours",
    extra: "does not belong to the chain",
  }[firstBad.problem];
  return [`The audit chain is BROKEN. Row ${firstBad.seq} ${what}.`, `Rows found right before it: ${rows}.`];
}
