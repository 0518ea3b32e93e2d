import type { cspReportApi } from "@/lib/contracts/csp-report.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { Context } from "../../context.ts";

/**
 * Writes into the log what a page's policy stopped: either a page of ours is wrong or an attack was tried. Any client
 * can send a report, so it is a hint and nothing acts on it; of addresses only the path is kept, because links of ours
 * carry tokens in their query.
 */
export async function logCspReport(
  { log }: Context,
  { "csp-report": report }: Received<typeof cspReportApi.send>,
): Promise<Given<typeof cspReportApi.send>> {
  const file = pathOf(report["source-file"]);
  log.warn("csp.violated", {
    path: pathOf(report["document-uri"]),
    kind: /^[a-z-]{1,40}$/.exec(report["effective-directive"] ?? "")?.[0] ?? null,
    url: addressOf(report["blocked-uri"]),
    from: file === null ? null : `${file}:${report["line-number"] ?? "?"}`,
  });
  return { received: true };
}

type Said = string | null | undefined;

const pathOf = (address: Said) => (address && URL.canParse(address) ? new URL(address).pathname : null);

/** Browsers name what has no address by a word: "inline", "eval", "data". */
function addressOf(blocked: Said): string | null {
  if (!blocked) return null;
  if (/^[a-z-]{1,40}$/.test(blocked)) return blocked;
  if (!URL.canParse(blocked)) return null;
  const { protocol, host, pathname } = new URL(blocked);
  return host === "" ? protocol : `${protocol}//${host}${pathname}`;
}
