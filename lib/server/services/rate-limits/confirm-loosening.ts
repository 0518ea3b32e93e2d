import { isBound, isLoosened, limitInForce, type RateLimitSetting } from "@/lib/domain/rate-limits.ts";
import type { Context } from "../../context.ts";
import { requireStepUp } from "../../core/require-step-up.ts";

/** What lets more calls through waits for a recent confirmation; null is no configuration. Names that are bound to nothing protect nothing. */
export function confirmLoosening(
  context: Context,
  name: string,
  before: RateLimitSetting | null,
  after: RateLimitSetting | null,
): void {
  if (isBound(name) && isLoosened(limitInForce(name, before), limitInForce(name, after))) requireStepUp(context);
}
