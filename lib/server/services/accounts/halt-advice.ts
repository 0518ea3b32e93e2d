import { ACCESS_TEXT, OTHER_ACCOUNT } from "@/lib/domain/account-access.ts";

const ADVICE: Record<string, string> = Object.fromEntries([
  ...Object.values(ACCESS_TEXT).flatMap(({ refused, afterRefusal, unopenable, afterUnopenable }) => [
    [refused, afterRefusal],
    [unopenable, afterUnopenable],
  ]),
  [OTHER_ACCOUNT, ACCESS_TEXT.OAUTH.afterRefusal],
]);

/** What its owner can do about an account that is halted for this reason. */
export function haltAdvice(reason: string | null): string | null {
  if (reason === null) return null;
  return (
    ADVICE[reason] ??
    "No new orders are sent; protective stops stay at the broker. Check the reason and your positions, then resume: Tradewind first compares its records with the broker's."
  );
}
