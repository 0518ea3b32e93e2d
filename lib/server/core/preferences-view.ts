import { type Money, text } from "@/lib/domain/money.ts";
import {
  PREFERENCE_NAMES,
  type PREFERENCES,
  type PreferenceName,
  type PreferencesView,
} from "@/lib/domain/preferences.ts";

/** A person's row: the table has a column for each preference, amounts and percents as decimals. */
type Row = {
  [K in PreferenceName]: (typeof PREFERENCES)[K]["kind"] extends "amount" | "percent"
    ? { toFixed(): string }
    : PreferencesView[K];
};

/** A row as the engine reads it. */
export const preferencesView = (row: Row): PreferencesView =>
  decimalTexts(Object.fromEntries(PREFERENCE_NAMES.map((name) => [name, row[name]])) as Row);

type Texts<T> = { [K in keyof T]: T[K] extends { toFixed(): string } ? (T[K] extends number ? T[K] : string) : T[K] };

/** The same with its decimals as text. */
export const decimalTexts = <T extends object>(preferences: T): Texts<T> =>
  Object.fromEntries(
    Object.entries(preferences).map(([name, value]) => [
      name,
      typeof value === "object" ? text(value as Money) : value,
    ]),
  ) as Texts<T>;
