import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { operationsApi } from "@/lib/contracts/operations.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import type { ReconcileReport } from "../sync/reconcile-account.ts";
import { bookWaitingActivity, dismissActivity, previewActivity } from "../sync/settle-activity.ts";
import { previewBrokerBooks, adoptBrokerBooks } from "../sync/adopt-broker-books.ts";
import { withBroker } from "./with-broker.ts";

const afterwards = ({ differences }: ReconcileReport) => ({ differing: differences.map(({ symbol }) => symbol) });

export async function previewBooks(
  context: Context,
  { id }: Received<typeof operationsApi.previewBooks>,
): Promise<Given<typeof operationsApi.previewBooks>> {
  return withBroker(() => previewBrokerBooks(context, { accountId: id }));
}

export async function takeBooks(
  context: Context,
  { id, hash, reason }: Received<typeof operationsApi.takeBooks>,
): Promise<Given<typeof operationsApi.takeBooks>> {
  const { reconciled } = await withBroker(() => adoptBrokerBooks(context, { accountId: id, hash, reason }));
  return afterwards(reconciled);
}

type Choice = Received<typeof operationsApi.previewActivity>;

const choiceOf = ({ id, activityIds, source, costShares }: Choice) => ({
  accountId: id,
  activityIds,
  source: source ?? null,
  costShares: costShares ?? {},
});

/** The account is there; what waited in it may have been settled by another administrator meanwhile. */
async function stillWaiting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withBroker(work);
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found" && error.message.startsWith("No activity"))
      throw new Failure("conflict", `${error.message} It may have been settled meanwhile.`, { cause: error });
    throw error;
  }
}

export async function previewWaiting(
  context: Context,
  choice: Choice,
): Promise<Given<typeof operationsApi.previewActivity>> {
  return stillWaiting(() => previewActivity(context, choiceOf(choice)));
}

export async function bookWaiting(
  context: Context,
  input: Received<typeof operationsApi.bookActivity>,
): Promise<Given<typeof operationsApi.bookActivity>> {
  const { hash, reason } = input;
  return afterwards(
    (await stillWaiting(() => bookWaitingActivity(context, { ...choiceOf(input), hash, reason }))).reconciled,
  );
}

export async function dismissWaiting(
  context: Context,
  { id, activityIds, reason }: Received<typeof operationsApi.dismissActivity>,
): Promise<Given<typeof operationsApi.dismissActivity>> {
  await stillWaiting(() => dismissActivity(context, { accountId: id, activityIds, reason }));
  return { dismissed: activityIds.length };
}
