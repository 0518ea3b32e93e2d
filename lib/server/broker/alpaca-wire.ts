/** The smallest parts of Alpaca's wire: hostile text in, exact text or a refusal out. */
import * as z from "zod";
import type { SideName } from "@/lib/domain/enums.ts";
import { money, text, type DecimalText } from "@/lib/domain/money.ts";
import type { Instant } from "@/lib/domain/time.ts";

/** Exact text from text or number; refuses NaN, infinities, blanks and text that is no plain decimal. */
export const decimal = z.union([z.string(), z.number()]).transform((value, ctx): DecimalText => {
  const isPlain = typeof value === "number" ? Number.isFinite(value) : /^[+-]?\d{1,24}(\.\d{1,24})?$/.test(value);
  if (isPlain) return text(money(value));
  ctx.addIssue({ code: "custom", message: `not a decimal: ${String(value).slice(0, 40)}` });
  return z.NEVER;
});
export const maybeDecimal = z
  .union([decimal, z.literal("").transform(() => null)])
  .nullish()
  .transform((value) => value ?? null);
/** Nanoseconds are cut to milliseconds. */
export const instant = z.string().transform((value, ctx): Instant => {
  const at = Date.parse(value);
  if (Number.isFinite(at)) return new Date(at).toISOString();
  ctx.addIssue({ code: "custom", message: `not an instant: ${value.slice(0, 40)}` });
  return z.NEVER;
});
export const maybeInstant = instant.nullish().transform((value) => value ?? null);
export const maybeText = z
  .string()
  .nullish()
  .transform((value) => (value ? value : null));
export const id = z.string().min(1).max(128);
export const symbol = z.string().min(1).max(32);
export const side = z.string().transform((value, ctx): SideName => {
  if (value === "buy") return "BUY";
  if (value === "sell" || value === "sell_short") return "SELL";
  ctx.addIssue({ code: "custom", message: `not a side: ${value.slice(0, 40)}` });
  return z.NEVER;
});
