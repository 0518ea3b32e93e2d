import { Failure, FAILURES } from "@/lib/domain/failures.ts";

/**
 * The one place that decides which failures are expected: an external system is unavailable, full, slow or refuses for now. They are logged without
 * a stack, because the code is not at fault.
 */

/** Of the system, of fetch and of Postgres by its SQLSTATE, and of Prisma. */
const EXPECTED_CODES = new Set(
  `ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENOSPC
  UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_SOCKET ABORT_ERR
  53100 53300 57P01 57P02 57P03 08000 08001 08003 08006 P1001 P1002 P1008 P1017 P2024`.split(/\s+/),
);
const EXPECTED_NAMES = new Set(
  "TimeoutError AbortError MaxRetriesPerRequestError AbortedCommandError ClusterAllFailedError".split(" "),
);
/** The first word of a Redis error is its code: disk or memory full, still loading, no longer the master. */
const EXPECTED_REPLIES = new Set([
  "MISCONF",
  "OOM",
  "LOADING",
  "READONLY",
  "BUSY",
  "MASTERDOWN",
  "CLUSTERDOWN",
  "TRYAGAIN",
]);
/** What ioredis says without a code when its connection goes, and when a node of a cluster is not found again. */
const CONNECTION_LOST = /^(Connection is closed\.$|Too many Cluster redirections\.)/;
const DEPTH_MAX = 4;

export function isExpectedFailure(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEPTH_MAX) return false;
  if (error instanceof Failure) return FAILURES[error.code].retry && error.code !== "internal";
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && EXPECTED_CODES.has(code)) return true;
  if (EXPECTED_NAMES.has(error.name) || CONNECTION_LOST.test(error.message)) return true;
  if (error.name === "ReplyError" && EXPECTED_REPLIES.has(error.message.split(" ", 1)[0] ?? "")) return true;
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every((one) => isExpectedFailure(one, depth + 1));
  return isExpectedFailure(error.cause, depth + 1);
}
