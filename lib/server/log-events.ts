import type { LogLevelName } from "@/lib/domain/enums.ts";

/**
 * Every log event: its name (noun.verb), its one sentence and its fields. A field that an event does not declare does not
 * compile, and is dropped at run time where a cast got past the compiler. No field holds a secret: a test holds the names.
 */
export interface LogFields {
  accountId: string | null;
  accounts: number;
  activityIds: string[];
  at: Date;
  attempt: number;
  brokerOrderId: string;
  clientOrderId: string | null;
  code: string;
  count: number;
  cycleId: string | null;
  date: string;
  deadAt: Date;
  decisionId: string | null;
  deliveryId: string;
  durationMs: number;
  eligible: number;
  environment: string;
  err: unknown;
  executions: number;
  from: string | Date | null;
  head: string;
  intentId: string;
  issues: string[];
  job: string;
  jobId: string;
  jobs: string[];
  kind: string | null;
  label: string;
  leg: number;
  legs: number;
  limit: number;
  mailId: string;
  market: string;
  method: string;
  missingOrders: string[];
  orders: number;
  outcome: string | { kind: string; cause?: string };
  owner: string;
  partition: string;
  path: string | null;
  planId: string;
  positions: number;
  previous: string | null;
  provider: string;
  purpose: string;
  qty: string | null;
  ratio: string;
  reason: string | null;
  regime: string;
  requestId: string;
  screened: number;
  seats: number;
  seq: string;
  session: string;
  side: string;
  signal: string;
  signature: string;
  since: Date;
  spyClose: number | null;
  spyMa20: number | null;
  spyMa50: number | null;
  spyMa200: number | null;
  snapshots: number;
  sheets: number;
  state: string;
  status: string | number;
  symbol: string | null;
  symbols: string[];
  task: string;
  template: string;
  to: string | Date | null;
  unmatchedQty: string;
  url: string | null;
  userId: string | null;
  version: string;
  vix: number | null;
  votes: number;
  waiting: number;
}

type FieldName = keyof LogFields;
const event = <const Names extends readonly FieldName[]>(message: string, ...fields: Names) => ({ message, fields });

export const LOG_EVENTS = {
  "account.deleted": event("account deleted; a backup that is restored has to delete it again", "accountId"),
  "account.halted": event("account halted", "accountId", "reason"),
  "account.kept-halted": event("account deletion failed, account stays halted", "accountId", "err"),
  "account.resumed": event("account resumed", "accountId", "reason"),
  "account-follow.failed": event("trade updates of account not followed", "accountId", "err"),
  "account-keys.accepted": event("broker accepts the keys again", "accountId"),
  "account-keys.refused-again": event("keys of halted account still open nothing", "accountId"),
  "account-keys.erased": event("keys of deleted account erased", "accountId", "reason"),
  "alpaca-connection.refused": event("authorization code not exchanged at Alpaca", "status", "reason"),
  "account-lock.release-failed": event("account lock not released", "accountId", "err"),
  "account-locks.lost": event("connection that holds the account locks lost", "err"),
  "order-status-page.completed": event("page of accounts checked", "count", "waiting"),
  "order-status-page.not-read": event("page of accounts not checked, each account gets its own job", "market", "err"),
  "account-page.completed": event("page of accounts decided", "cycleId", "count", "waiting"),
  "account-page.not-decided": event("page of accounts not decided, each gets its own job", "cycleId", "err"),
  "account-streams.full": event("more accounts than one process can stream, the rest are polled", "accounts", "count"),
  "accounts.read-failed": event("accounts to follow not read", "err"),
  "activity.quarantined": event("broker activity quarantined", "accountId", "kind", "symbol", "qty"),
  "activity.settled": event("quarantined activity settled", "accountId", "kind"),
  "audit-chain.broken": event("audit chain broken", "reason"),
  "audit-head.signed": event("end of the audit chain signed and anchored", "seq", "head", "at", "signature"),
  "audit-heads.set-aside": event("signed heads of events that a restored database lacks were set aside", "path"),
  "audit-personal.left-out": event(
    "event recorded without its personal part: its person's key does not open",
    "seq",
    "userId",
  ),
  "audit-verification.release-failed": event("lease of audit verification not released", "err"),
  "backtest-grid.completed": event("backtest repeated with varied settings", "jobId", "durationMs", "count", "state"),
  "backtest-grid.dead-lettered": event("backtest grids killed their worker repeatedly, dead-lettered", "count"),
  "backtest-grid.failed": event("backtest grid failed", "jobId", "durationMs", "reason"),
  "backtest-grid.requeued": event("worker stopping, backtest grid requeued", "jobId", "durationMs"),
  "backtest-grid.stopped": event("backtest grid replaced or taken over by another worker", "jobId", "durationMs"),
  "backtest.completed": event("backtest completed", "jobId", "durationMs", "count", "state"),
  "backtest.dead-lettered": event("backtests killed their worker repeatedly, dead-lettered", "count"),
  "backtest.failed": event("backtest failed", "jobId", "durationMs", "reason"),
  "backtest.requeued": event("worker stopping, backtest requeued", "jobId", "durationMs"),
  "backtest.stopped": event("backtest cancelled or taken over by another worker", "jobId", "durationMs"),
  "bars.dropped": event("market went back in time, stored bars dropped", "market"),
  "bars.history-replaced": event("source returned a different history, symbols reloaded", "market", "count", "symbols"),
  "bars.load-failed": event("history not loaded, next turn continues", "market", "err"),
  "bars.loaded": event("bars loaded", "market", "session", "count", "waiting"),
  "bars.pack-unreadable": event("stored bars unreadable, loaded again", "market", "count", "symbols"),
  "bars.quarantined": event("symbols with implausible bars quarantined", "count", "symbols"),
  "books.adopted": event("positions and cash adopted from broker", "accountId", "reason"),
  "cancel.failed": event("cancel request failed", "accountId", "symbol", "outcome"),
  "cancel.requested": event("cancel requested", "accountId", "clientOrderId", "symbol", "reason", "outcome"),
  "cash-activity.corrected": event("broker corrected a cash activity", "accountId", "kind", "symbol"),
  "companies.read": event("companies read from the SEC", "count", "waiting"),
  "company.read-failed": event("company not read from the SEC", "symbol", "err"),
  "csp.violated": event("content security policy blocked a resource", "path", "kind", "url", "from"),
  "cycle.books-unread": event("books not read before purchases are cancelled", "cycleId", "accountId", "err"),
  "cycle.rejected": event("cycle belongs to another market or is not done, job ignored", "cycleId", "market"),
  "cycle.skipped": event("another writer holds the account, cycle skipped", "accountId"),
  "delivery.failed": event("notification not delivered", "deliveryId", "kind", "attempt", "reason"),
  "delivery.unprepared": event("notification could not be prepared", "deliveryId", "kind", "err"),
  "earnings-calendar.read-failed": event("earnings calendar unavailable, no entries", "market", "err"),
  "earnings.estimated": event("no earnings calendar configured, reports estimated from filings", "market", "count"),
  "earnings-history.read-failed": event("past earnings unavailable, watchlist uses stored reports", "market", "err"),
  "entries.blocked": event("no new entries in any account", "reason"),
  "refused-registration.not-noted": event("refused registration of an unverified address not recorded", "err"),
  "enumeration-alert.failed": event("administrators not notified of the enumeration guard", "err"),
  "enumeration-guard.activated": event("too many unknown addresses, responses do not reveal accounts for a while"),
  "events.unreadable": event("splits or dividends unreadable, such splits quarantined", "market", "count", "symbols"),
  "equity.read-failed": event("equity not read", "accountId", "err"),
  "executions.corrected": event("broker corrected executions", "accountId", "clientOrderId", "symbol", "side"),
  "executions.mismatched": event("order and executions disagree, reading again", "accountId", "brokerOrderId"),
  "export.release-failed": event("lease of data export not released", "err"),
  "flatten-leg.submitted": event("flatten leg submitted", "accountId", "leg", "symbol", "status", "reason"),
  "password-guessing-alert.failed": event("owner not notified of password guessing", "err"),
  "insight.refused": event(
    "text of the insight model refused, the built-in writer's stays",
    "kind",
    "reason",
    "durationMs",
  ),
  "insight.written": event("insight model wrote a text", "kind", "count", "durationMs"),
  "invariants.broken": event("invariants broken", "accountId", "reason"),
  "invariants.recovered": event("invariants broken at first, hold after second reading", "accountId", "reason"),
  "invariants-page.completed": event("invariants of a page of accounts checked", "count", "waiting"),
  "invariants-page.not-read": event(
    "invariants of a page of accounts not checked, each account gets its own job",
    "err",
  ),
  "job.completed": event("job completed", "job", "durationMs"),
  "job.dead-lettered": event("job dead-lettered", "job", "accountId", "reason"),
  "job.failed": event("job failed", "job", "accountId", "err"),
  "job.rejected": event("job payload rejected", "job"),
  "job.skipped": event("job is dead-lettered, skipped", "job", "accountId", "deadAt"),
  "kill-state.set": event("kill state set", "accountId", "userId", "symbol", "reason", "state"),
  "kill-watch.read-failed": event("kill states not read", "err"),
  "kill-watch.task-failed": event("kill-state task failed", "accountId", "task", "err"),
  "leg.submitted": event("leg submitted", "accountId", "decisionId", "leg", "symbol", "status", "reason"),
  "lots.oversold": event("sold more than the lots hold", "accountId", "symbol", "unmatchedQty"),
  "mail.failed": event("mail not sent", "mailId", "template", "attempt", "reason"),
  "mails.failed": event("due mails not sent by watchdog", "err"),
  "manual-sale.follow-failed": event("sale by hand not followed, the worker follows it", "accountId", "symbol", "err"),
  "manual-sale.submitted": event("sale by hand submitted", "accountId", "planId", "leg", "symbol", "status", "reason"),
  "manual-stop.moved": event("stop tightened by hand", "accountId", "planId", "leg", "symbol", "status", "reason"),
  "metrics.not-read": event("some metrics could not be read", "err"),
  "market-clock.read-failed": event("market clock unavailable, schedules wait", "market", "err", "count"),
  "market-day.estimated": event("market clock unavailable, last session used", "market", "err", "count"),
  "news.read-failed": event("news unavailable, no sentiment", "market", "err"),
  "news.silent": event("news stopped, no sentiment", "market", "since"),
  "next-auth.failed": event("next-auth failed", "code", "err"),
  "next-auth.warned": event("next-auth warning", "code"),
  "decisions.purged": event("old decisions that did nothing purged", "count", "snapshots", "sheets"),
  "decisions.partition-released": event("disk space of deleted decisions reclaimed", "partition", "outcome"),
  "decisions.partition-not-released": event("disk space of deleted decisions not reclaimed", "partition", "err"),
  "partitions.created": event("partitions created", "count"),
  "partitions.create-failed": event("partitions could not be created", "err"),
  "notifications.purged": event("old notifications and mails purged", "count"),
  "order.not-read": event("order not read at the broker", "accountId", "clientOrderId", "err"),
  "orders.missing": event("working orders unknown to broker", "accountId", "missingOrders"),
  "other-assets.ignored": event("assets other than stocks ignored", "accountId", "orders", "positions", "executions"),
  "outage-report.failed": event("outage not reported yet", "err"),
  "outage-check.failed": event("account not checked during outage", "accountId", "err"),
  "outage-check.reconcile-failed": event("books not read before stops were checked", "accountId", "err"),
  "outage.handled": event("account checked after worker outage", "accountId", "reason"),
  "outcome.record-failed": event("broker's answer not recorded, retrying", "intentId", "err"),
  "owed-stop.failed": event("owed stop not placed, retrying", "accountId", "symbol", "err"),
  "owed-stops.failed": event("owed stops not placed, retrying", "accountId", "err"),
  "parked-order.resolved": event("parked order resolved", "accountId", "clientOrderId", "kind", "status", "reason"),
  "policy.activated": event("policy activated", "version", "previous"),
  "protection.failed": event("unprotected shares not protected, retrying", "accountId", "err"),
  "protection.submitted": event(
    "protective order submitted",
    "accountId",
    "leg",
    "symbol",
    "status",
    "reason",
    "purpose",
  ),
  "prices.read-failed": event("prices of a comparison source not read", "market", "provider", "err"),
  "sectors.read-failed": event("sector vendor returned no sectors", "market", "count"),
  "provider-calls.dropped": event("provider call counts dropped", "count"),
  "provider-calls.purged": event("old provider calls and samples purged", "count"),
  "practice-clock.changed": event("practice market clock changed", "state"),
  "provider-calls.write-failed": event("provider call counts not written, retrying", "err", "count"),
  "queue.errored": event("queue error", "job", "err", "count"),
  "queue.read-failed": event("queue status unavailable", "err"),
  "queue.switched": event("job queue switched", "state"),
  "quotes.read-failed": event("quotes unavailable, no entries this cycle", "market", "err"),
  "reconciliation.failed": event("session not reconciled, retrying", "accountId", "session", "err"),
  "recovery.completed": event("recovery completed", "accounts"),
  "recovery.left": event("recovery at start timed out, accounts recover with their first work", "accounts", "count"),
  "recovery.failed": event("recovery failed, account sends no new orders until it succeeds", "accountId", "err"),
  "regime.flipped": event(
    "regime flipped",
    "market",
    "session",
    "label",
    "vix",
    "votes",
    "spyClose",
    "spyMa20",
    "spyMa50",
    "spyMa200",
  ),
  "removed-account.recheck-failed": event("entries of removed account not rechecked", "accountId", "err"),
  "request.failed": event("request failed", "requestId", "method", "path", "status", "code", "durationMs", "err"),
  "request.refused": event(
    "request not served, service unavailable",
    "requestId",
    "method",
    "path",
    "status",
    "code",
    "durationMs",
    "reason",
    "err",
  ),
  "rotation.deferred": event("another writer holds the account, rotation waits", "accountId"),
  "rotation.planned": event("rotation planned", "market", "environment", "planId", "accounts", "legs"),
  "rotation-account.skipped": event("account not read, left out of rotation", "accountId", "err"),
  "rotation-leg.submitted": event("rotation leg submitted", "accountId", "planId", "leg", "symbol", "status", "reason"),
  "run.aborted": event("run aborted", "jobId", "err"),
  "run.progress-failed": event("progress of run not written", "jobId", "err"),
  "run.thread-failed": event("thread of run failed", "jobId", "err"),
  "session.diverged": event("session reconciled with differences", "accountId", "session", "issues"),
  "session.opened": event(
    "session opened",
    "market",
    "session",
    "screened",
    "eligible",
    "seats",
    "regime",
    "durationMs",
  ),
  "session.reconciled": event("session reconciled", "accountId", "session"),
  "session-cookie.expired": event("session cookie no longer valid", "code"),
  "session-cookie.not-read": event("session cookie not looked up, person unknown", "err"),
  "settings-preview.completed": event("settings tried on the last sessions", "jobId", "durationMs", "count", "state"),
  "settings-preview.dead-lettered": event("settings previews killed their worker repeatedly, dead-lettered", "count"),
  "settings-preview.failed": event("settings preview failed", "jobId", "durationMs", "reason"),
  "settings-preview.requeued": event("worker stopping, settings preview requeued", "jobId", "durationMs"),
  "settings-preview.stopped": event("settings preview replaced or taken over by another worker", "jobId", "durationMs"),
  "shares.cashed-out": event("shares merged for cash", "accountId", "symbol", "date"),
  "shares.exchanged": event("shares exchanged", "accountId", "from", "to", "date"),
  "sources.agreed-again": event("disagreements between sources ended", "market", "count", "symbols"),
  "sources.disagreed": event("sources disagree, symbols set aside", "market", "count", "symbols"),
  "split.applied": event("split applied", "accountId", "symbol", "date", "ratio"),
  "split.rejected": event("split of shares that are not held", "accountId", "symbol", "activityIds"),
  "stop.moved": event("stop moved", "accountId", "leg", "symbol", "status", "reason"),
  "strategy-history.completed": event("strategy histories computed", "market", "session", "count", "durationMs"),
  "strategy-history.failed": event("strategy histories not computed, retrying later", "market", "reason"),
  "strategy-history.released": event("worker stopping, strategy histories left to the next", "market", "session"),
  "system-invariants.broken": event("system invariants broken", "reason"),
  "task.failed": event("periodic task failed", "task", "err", "count"),
  "traces.not-exported": event("span export failed, spans dropped", "err", "count"),
  "traces.not-started": event("tracing not started, work continues without", "err"),
  "traces.started": event("tracing started"),
  "trade-update.failed": event("trade update not applied, next reconciliation reads it", "accountId", "err"),
  "trade-updates.changed": event("state of trade updates changed", "accountId", "state"),
  "unknown-order.closed": event("unknown order closed", "accountId", "clientOrderId", "reason", "count"),
  "unknown-order.settled": event(
    "order without an answer settled",
    "accountId",
    "clientOrderId",
    "symbol",
    "side",
    "status",
    "reason",
  ),
  "user.erased": event("person erased; a backup that is restored has to erase them again", "userId", "at"),
  "vix.read-failed": event("VIX unavailable, its vote is 0 and risk_on is impossible", "market", "err"),
  "watchdog.check-failed": event("watchdog check failed", "err"),
  "watchdog.started": event("watchdog ready", "owner", "limit"),
  "watchdog.state-changed": event("watchdog state changed", "owner", "state"),
  "watchdog.stop-requested": event("watchdog stopping", "signal"),
  "watchdog.stopped": event("watchdog stopped"),
  "weekly-summaries.written": event("weekly summaries written", "count"),
  "webhook.disabled": event("webhook switched off", "userId", "reason"),
  "what-if.completed": event("what-if completed", "jobId", "durationMs", "count", "state"),
  "what-if.dead-lettered": event("what-ifs killed their worker repeatedly, dead-lettered", "count"),
  "what-if.failed": event("what-if failed", "jobId", "durationMs", "reason"),
  "what-if.requeued": event("worker stopping, what-if requeued", "jobId", "durationMs"),
  "what-if.stopped": event("what-if cancelled or taken over by another worker", "jobId", "durationMs"),
  "worker.crashed": event("uncaught exception, exiting", "err"),
  "worker.fenced": event("worker sends no orders", "reason"),
  "worker.recovered": event("worker is back", "from", "to"),
  "worker.silenced": event("worker heartbeat lost, cancelling open entries", "since"),
  "worker.started": event("worker ready", "owner", "jobs"),
  "worker.stop-requested": event("worker stopping, running jobs finish first", "signal"),
  "worker.stopped": event("worker stopped"),
} satisfies Record<string, { message: string; fields: readonly FieldName[] }>;

export type LogEventName = keyof typeof LOG_EVENTS;
export type FieldsOf<Name extends LogEventName> = Pick<LogFields, (typeof LOG_EVENTS)[Name]["fields"][number]>;
/** Also where an object is spread, which the compiler's own check of surplus properties does not see. */
type Exact<Given, Name extends LogEventName> = Given & Record<Exclude<keyof Given, keyof FieldsOf<Name>>, never>;
type Write = <Name extends LogEventName, Given extends FieldsOf<Name>>(event: Name, fields: Exact<Given, Name>) => void;

export type Log = Record<LogLevelName, Write>;
