import type { ArchiveFile } from "../../archive.ts";
import type { Context } from "../../context.ts";
import { csvFile, CSV_PAGE as PAGE } from "../../csv-file.ts";
import { Prisma } from "../../db.ts";
import { readActivity } from "../audit/read-activity.ts";
import type { HeldExport } from "../../core/hold-export.ts";

type Row = Record<string, unknown>;

/** The columns of a table, less what no user may read. */
const fieldsOf = (fields: Record<string, string>, ...hidden: string[]) =>
  Object.values(fields).filter((field) => !hidden.includes(field));

type Read = (last: Row | undefined) => Promise<Row[]>;
/** `fields`: what the table holds, so that an empty one has its header; null where it is never empty. */
type File = (name: string, fields: readonly string[] | null, read: Read) => ArchiveFile;

const single =
  (row: Promise<Row | null>): Read =>
  async (last) => {
    const found = last ? null : await row;
    return found ? [found] : [];
  };

/** A page along the id, behind the last row. */
const page = (last: Row | undefined) => ({
  orderBy: { id: "asc" as const },
  take: PAGE,
  ...(last ? { cursor: { id: last.id as string }, skip: 1 } : {}),
});

/** Rows that have an account and a second part in their key. */
const behind = (last: Row | undefined, part: string) =>
  last
    ? {
        OR: [
          { accountId: { gt: last.accountId as string } },
          { accountId: last.accountId as string, [part]: { gt: last[part] } },
        ],
      }
    : {};

/** The person, how they sign in and what they chose. */
function personFiles({ db }: Context, userId: string, file: File): ArchiveFile[] {
  return [
    file(
      "profile",
      null,
      single(db.user.findUnique({ where: { id: userId }, omit: { passwordHash: true, tokenVersion: true } })),
    ),
    file("trading-preferences", null, single(db.tradingPreferences.findUnique({ where: { userId } }))),
    file("notification-preferences", null, single(db.notificationPreferences.findUnique({ where: { userId } }))),
    // Its address is sealed with its secret: both were theirs before they were ours.
    file(
      "webhook",
      fieldsOf(Prisma.WebhookScalarFieldEnum, "sealedTarget"),
      single(db.webhook.findUnique({ where: { userId }, omit: { sealedTarget: true } })),
    ),
    file("push-browsers", fieldsOf(Prisma.PushSubscriptionScalarFieldEnum, "p256dh", "auth"), (last) =>
      db.pushSubscription.findMany({ where: { userId }, omit: { p256dh: true, auth: true }, ...page(last) }),
    ),
    file("sign-ins", fieldsOf(Prisma.SignInScalarFieldEnum, "jti"), (last) =>
      db.signIn.findMany({ where: { userId }, omit: { jti: true }, ...page(last) }),
    ),
    file(
      "authenticator-app",
      fieldsOf(Prisma.TotpFactorScalarFieldEnum, "sealedSecret", "lastStep", "signInId"),
      single(
        db.totpFactor.findUnique({ where: { userId }, omit: { sealedSecret: true, lastStep: true, signInId: true } }),
      ),
    ),
    file("passkeys", fieldsOf(Prisma.PasskeyScalarFieldEnum, "credentialId", "publicKey", "counter"), (last) =>
      db.passkey.findMany({
        where: { userId },
        omit: { credentialId: true, publicKey: true, counter: true },
        ...page(last),
      }),
    ),
    file("access-tokens", fieldsOf(Prisma.AccessTokenScalarFieldEnum, "tokenHash", "tokenVersion"), (last) =>
      db.accessToken.findMany({ where: { userId }, omit: { tokenHash: true, tokenVersion: true }, ...page(last) }),
    ),
    file("recovery-codes", fieldsOf(Prisma.RecoveryCodeScalarFieldEnum, "codeHash"), (last) =>
      db.recoveryCode.findMany({ where: { userId }, omit: { codeHash: true }, ...page(last) }),
    ),
  ];
}

/** What their accounts hold and did. */
function accountFiles({ db }: Context, userId: string, file: File): ArchiveFile[] {
  const own = { where: { account: { userId } } };
  return [
    file("accounts", fieldsOf(Prisma.AccountScalarFieldEnum, "sealedKeys", "writerEpoch"), (last) =>
      db.account.findMany({ where: { userId }, omit: { sealedKeys: true, writerEpoch: true }, ...page(last) }),
    ),
    file("positions", fieldsOf(Prisma.PositionScalarFieldEnum, "review"), (last) =>
      db.position.findMany({
        where: { account: { userId }, ...behind(last, "symbol") },
        omit: { review: true },
        orderBy: [{ accountId: "asc" }, { symbol: "asc" }],
        take: PAGE,
      }),
    ),
    file("decisions", fieldsOf(Prisma.IntentScalarFieldEnum, "gateVerdictId", "submitEpoch"), (last) =>
      db.intent.findMany({ ...own, omit: { gateVerdictId: true, submitEpoch: true }, ...page(last) }),
    ),
    file("orders-by-hand", fieldsOf(Prisma.ManualOrderScalarFieldEnum), (last) =>
      db.manualOrder.findMany({
        where: { account: { userId }, ...behind(last, "id") },
        orderBy: [{ accountId: "asc" }, { id: "asc" }],
        take: PAGE,
      }),
    ),
    file("orders", fieldsOf(Prisma.OrderScalarFieldEnum), (last) => db.order.findMany({ ...own, ...page(last) })),
    file("fills", fieldsOf(Prisma.FillScalarFieldEnum), (last) => db.fill.findMany({ ...own, ...page(last) })),
    file("round-trips", fieldsOf(Prisma.RoundTripScalarFieldEnum), (last) =>
      db.roundTrip.findMany({ ...own, ...page(last) }),
    ),
    file("cash-flows", fieldsOf(Prisma.CashFlowScalarFieldEnum), (last) =>
      db.cashFlow.findMany({ ...own, ...page(last) }),
    ),
    file("equity", fieldsOf(Prisma.EquityPointScalarFieldEnum), (last) =>
      db.equityPoint.findMany({
        where: { account: { userId }, ...behind(last, "at") },
        orderBy: [{ accountId: "asc" }, { at: "asc" }],
        take: PAGE,
      }),
    ),
  ];
}

/** What the product did for them and told them. */
function historyFiles({ db }: Context, userId: string, file: File): ArchiveFile[] {
  return [
    file("backtests", fieldsOf(Prisma.BacktestScalarFieldEnum), (last) =>
      db.backtest.findMany({ where: { userId, deletedAt: null }, ...page(last) }),
    ),
    file("backtest-grids", fieldsOf(Prisma.BacktestGridScalarFieldEnum), (last) =>
      db.backtestGrid.findMany({ where: { userId, deletedAt: null }, ...page(last) }),
    ),
    file("settings-preview", fieldsOf(Prisma.SettingsPreviewScalarFieldEnum), (last) =>
      db.settingsPreview.findMany({ where: { userId }, ...page(last) }),
    ),
    file("notifications", fieldsOf(Prisma.NotificationScalarFieldEnum, "dedupeKey"), (last) =>
      db.notification.findMany({ where: { userId }, omit: { dedupeKey: true }, ...page(last) }),
    ),
    file("deliveries", fieldsOf(Prisma.DeliveryScalarFieldEnum, "dedupeKey", "targetId"), (last) =>
      db.delivery.findMany({ where: { userId }, omit: { dedupeKey: true, targetId: true }, ...page(last) }),
    ),
    file("insight-texts", fieldsOf(Prisma.InsightTextScalarFieldEnum, "recordHash"), (last) =>
      db.insightText.findMany({ where: { userId }, omit: { recordHash: true }, ...page(last) }),
    ),
    file("logs", fieldsOf(Prisma.LogEventScalarFieldEnum), (last) =>
      db.logEvent.findMany({
        where: { userId, ...(last ? { id: { gt: last.id as bigint } } : {}) },
        orderBy: { id: "asc" },
        take: PAGE,
      }),
    ),
    file("activity", null, (last) =>
      readActivity(db, { userId, after: (last?.seq as bigint | undefined) ?? 0n, take: PAGE }),
    ),
  ];
}

/** The files of a person's export. Each is read in pages along its key, so a row is in it once. */
export function userFiles(context: Context, userId: string, { beat }: HeldExport): ArchiveFile[] {
  const file: File = (name, fields, read) =>
    csvFile({
      name,
      read,
      beat,
      ...(fields && { columns: fields.map((field) => [field, (row: Row) => row[field]] as const) }),
    });
  return [personFiles, accountFiles, historyFiles].flatMap((files) => files(context, userId, file));
}
