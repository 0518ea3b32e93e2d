import { Failure } from "@/lib/domain/failures.ts";
import { HOUR_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { counterOf } from "../../limits/limit-counter.ts";
import { settle, takeAddressPoint, takePoint, takePoints, type TakenPoint } from "../../limits/rate-limit.ts";
import { accountKey, isMarkOf, isMarkOfPassword, type DeviceMark } from "../../secrets/device-mark.ts";
import { isOwnersNetwork } from "./is-owners-network.ts";
import { notifyOfWrongPassword } from "./notify-of-wrong-password.ts";
import { warnOfGuessing } from "./warn-of-guessing.ts";

/** One check of a person's password, code or passkey that their budget allows. */
export interface PasswordCheck {
  /** True for a device on which the person signed in before: its check is not kept waiting by strangers' ones. */
  isOwnDevice: boolean;
  /** `accountKey` of the person. */
  account: string;
  /**
   * Makes the check. A right one costs nothing, a wrong one costs a point and is notified to the owner, and one that breaks off
   * costs nothing.
   */
  run(check: () => Promise<boolean>): Promise<boolean>;
}

/** How the statuses of a call settle its points (`isSkipped`). */
const STATUS = { right: 200, wrong: 401, brokenOff: 503 };

type CheckContext = Pick<Context, "db" | "now" | "queue" | "request" | "log">;

/**
 * The budget of whatever checks the password or a factor of the signed-in person: changing it, erasing the account, confirming a
 * step. It is the budget of sign-ins, so that a stolen token guesses no faster than a stranger. Throws
 * `too_many_requests` when it is used up.
 */
export async function spendPasswordCheck(context: CheckContext, userId: string): Promise<PasswordCheck> {
  const { email } = await context.db.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  return spend(context, email, "signed-in", () => Promise.resolve(true), [
    () => takePoint("attempts-failed", `person|${userId}`),
  ]);
}

/** The same for a sign-in, whether a user has this address or not. */
export function spendSignIn(context: CheckContext, email: string): Promise<PasswordCheck> {
  const { ipAddress } = context.request;
  return spend(context, email, "network", () => isOwnersNetwork(context, { email }), [
    () => takeAddressPoint("auth-failed", ipAddress),
    () => takeAddressPoint("attempts-failed", ipAddress, accountKey(email)),
  ]);
}

async function spend(
  context: CheckContext,
  email: string,
  ownBucket: "signed-in" | "network",
  isOwners: () => Promise<boolean>,
  strangersLimits: (() => Promise<TakenPoint>)[],
): Promise<PasswordCheck> {
  const account = accountKey(email);
  const { device } = context.request;
  const isMarked = isMarkOf(device, email);
  const isOwnDevice = isMarked && (await isOfPasswordInForce(context, email, device));
  const takeOfStrangers = () =>
    takePoints(...strangersLimits, () => takeOfAccount(context, email, isOwners, `${account}|${ownBucket}`));
  const points = isOwnDevice
    ? [await takePoint("owner-failed", `${account}|device|${device.id}`)]
    : await (isMarked ? takeOfEarlierDevices(account, takeOfStrangers) : takeOfStrangers());
  return { isOwnDevice, account, run: (check) => runCheck(context, email, points, check) };
}

/**
 * A mark from before the last change of the password may be one of many that a person collected who knew the earlier one: such marks
 * share one budget and are strangers beyond it.
 */
async function isOfPasswordInForce({ db }: CheckContext, email: string, device: DeviceMark): Promise<boolean> {
  const user = await db.user.findUnique({ where: { email }, select: { passwordHash: true } });
  return user !== null && isMarkOfPassword(device, user.passwordHash);
}

async function takeOfEarlierDevices(account: string, elsewhere: () => Promise<TakenPoint[]>): Promise<TakenPoint[]> {
  try {
    return [await takePoint("owner-failed", `${account}|earlier-devices`)];
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    return elsewhere();
  }
}

const isRefusal = (error: unknown) => error instanceof Failure && error.code === "too_many_requests";

/**
 * A point of the day that all unknown devices share. When they are used up, the owner's networks and signed-in callers have a
 * budget of their own, so that guessing from many addresses does not lock the owner out.
 */
async function takeOfAccount(
  context: CheckContext,
  email: string,
  isOwners: () => Promise<boolean>,
  ownBucket: string,
): Promise<TakenPoint> {
  try {
    return await takePoint("account-failed", accountKey(email));
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    await onceAnHour(context, "guessing-told", email, () => warnOfGuessing(context, { email }));
    if (!(await isOwners())) throw refusal;
    return takePoint("owner-failed", ownBucket);
  }
}

async function runCheck(
  context: CheckContext,
  email: string,
  points: TakenPoint[],
  check: () => Promise<boolean>,
): Promise<boolean> {
  let isRight: boolean;
  try {
    isRight = await check();
  } catch (error) {
    await settle(points, STATUS.brokenOff);
    throw error;
  }
  await settle(points, isRight ? STATUS.right : STATUS.wrong);
  if (!isRight)
    await onceAnHour(context, "wrong-password-told", email, () => notifyOfWrongPassword(context, { email }));
  return isRight;
}

/** At most once an hour, so that each further guess stays cheap. */
async function onceAnHour(
  { log }: CheckContext,
  counter: string,
  email: string,
  notify: () => Promise<unknown>,
): Promise<void> {
  if ((await counterOf(counter).take(accountKey(email), 1, HOUR_MS)).isFull) return;
  try {
    await notify();
  } catch (error) {
    log.error("password-guessing-alert.failed", { err: error });
  }
}
