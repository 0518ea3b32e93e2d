/** Services that leave shares bare or believe the wrong news; the tests named beside them must fail. */
import type { SourceMutant } from "./source-mutants.ts";

const SERVICES = "lib/server/services";

const service = (
  name: string,
  file: string,
  [find, replace]: [find: string, replace: string],
  test: string,
  testFile = "orders/protect-positions",
): SourceMutant => ({
  name,
  file: `${SERVICES}/${file}`,
  find,
  replace,
  project: "services",
  testFile: `${SERVICES}/${testFile}.services.test.ts`,
  test,
});

export const PROTECTION_MUTANTS: readonly SourceMutant[] = [
  service(
    "held-leg-is-protection",
    "orders/protected-quantity.ts",
    [`p."status" = 'FILLED' or p."role"`, `p."status" <> 'CANCELED' or p."role"`],
    "under a leg that waits for the rest of its entry",
  ),
  service(
    "owed-stop-not-paid-after-a-sale",
    "orders/submit-leg.ts",
    ['if (leg.order.side === "SELL") await payAfterSale', 'if (leg.order.side === "BUY") await payAfterSale'],
    "a sale that a gate refuses at the last look",
  ),
  service(
    "owed-stop-not-paid-by-recovery",
    "sync/recover-account.ts",
    ["  await payOwed(context, accountId);\n", ""],
    "a process that ends between cancel and sale",
  ),
  service(
    "reading-leaves-shares-bare",
    "accounts/sync-orders.ts",
    ["    await protect(context, account.id, epoch);\n", ""],
    "whose legs were cancelled by hand",
  ),
  service(
    "persons-order-not-subtracted",
    "orders/bare-shares.ts",
    ['role: { in: ["EXIT", "EXTERNAL"] },', 'role: { in: ["EXIT"] },'],
    "whose legs were cancelled by hand",
  ),
  service(
    "stop-of-what-was-bare-before-the-release",
    "orders/protect-positions.ts",
    ["inNewShares(now?.bare ?? ZERO), released.free", "inNewShares(bare), released.free"],
    "beside a sale that does not come to its end",
  ),
  service(
    "lost-sale-given-up-although-reserved",
    "orders/protect-positions.ts",
    ["findBlocker(protecting, symbol, mayBeThere)", 'findBlocker(protecting, symbol, mayBeThere && symbol === "")'],
    "a sale whose answer was lost is not parked",
  ),
  service(
    "bare-in-a-halted-account",
    "orders/protect-positions.ts",
    ["    isProtective: true,\n    halted: null,", "    isProtective: false,\n    halted: null,"],
    "a process that ends between cancel and sale",
  ),
  service(
    "stop-raise-not-recorded-before",
    "orders/raise-stop.ts",
    ['    await auditRaise(tx, "STOP_RAISE_SENT", subject);\n', ""],
    "follows the trailing level up in place",
    "orders/raise-trailing-stops",
  ),
  service(
    "raised-level-not-kept",
    "orders/cancel-resting-orders.ts",
    [
      "    await tx.position.updateMany({ where: { accountId, symbol, ...isLower }, data: { stopPrice: raisedTo } });\n",
      "",
    ],
    "goes back at once, at the raised price",
    "orders/raise-trailing-stops",
  ),
  service(
    "stop-lowered-with-the-trail",
    "orders/raise-stop.ts",
    [
      'return { kind: outcome.kind === "rejected" && stillRests',
      'return { kind: outcome.kind === "replaced" && stillRests',
    ],
    "is cancelled and placed anew where the broker does not replace it",
    "orders/raise-trailing-stops",
  ),
  service(
    "torn-list-believed",
    "sync/correct-executions.ts",
    ["effectiveExecutions(listed, reported.filledQty)", "listed"],
    "is not believed while the order itself says otherwise",
    "sync/corrections",
  ),
  service(
    "bust-not-looked-for",
    "sync/stream-account.ts",
    ["() => correctOrder(context, account, broker, brokerOrderId)", "() => Promise.resolve(false)"],
    "is corrected as soon as the stream reports it",
    "sync/corrections",
  ),
  service(
    "broker-books-of-another-preview",
    "sync/adopt-broker-books.ts",
    ["if (preview.hash !== hash)", "if (hash === null)"],
    "books nothing that moved since the preview",
    "sync/settle-books",
  ),
];
