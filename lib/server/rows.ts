/** Small readings of rows that several services share. */
import { money, text, type DecimalText, type Money } from "@/lib/domain/money.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import type { Prisma } from "./db.ts";

export type { Environment as EnvironmentLabel } from "@/lib/domain/enums.ts";
export { environmentLabel } from "@/lib/domain/environments.ts";

/** A nullable numeric column as exact money. */
export function moneyOrNull(value: { toString(): string } | null): Money | null {
  return value === null ? null : money(value);
}

/** A numeric column as exact decimal text. */
export function decimalText(value: { toString(): string }): DecimalText {
  return text(value.toString());
}

export function decimalTextOrNull(value: { toString(): string } | null): DecimalText | null {
  return value === null ? null : decimalText(value);
}

/** A `date` column as a New York date, and back. */
export function dateOf(session: SessionDate): Date {
  return new Date(`${session}T00:00:00.000Z`);
}

export function sessionOf(date: Date): SessionDate {
  return date.toISOString().slice(0, 10);
}

/** An order that is a trade: meant to trade, or filled. A protective order that never filled stands on its entry's page. */
export const WHERE_TRADE = {
  OR: [{ filledQty: { gt: 0 } }, { parentId: null, role: { notIn: ["STOP", "TARGET"] } }],
} satisfies Prisma.OrderWhereInput;
