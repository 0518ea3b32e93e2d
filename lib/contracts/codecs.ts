import * as z from "zod";
import { isDecimalText, money, type Money } from "../domain/money.ts";

/**
 * Money on the wire is the specification's JSON number, encoded from an exact decimal. Services give
 * decimals (or decimal text); numbers are made here and nowhere else.
 */
export const moneyOut = z
  .union([
    z.custom<Money>((value) => typeof value === "object" && value !== null && "toFixed" in value),
    z.string().refine(isDecimalText, "not a decimal"),
  ])
  .transform((value) => money(value).toNumber())
  // What JSON Schema cannot read off a transform.
  .meta({ type: "number" });

/** A JSON number to an exact decimal: the shortest decimal that names the number, as a person typed it. */
export const moneyIn = (label: string) =>
  z
    .number({ error: `${label} must be a number.` })
    // Amounts are stored with nine places: a tenth would be rounded unseen, to nothing where it is the first.
    .refine(
      (value) => isDecimalText(money(value).toFixed()) && money(value).eq(money(value).toDecimalPlaces(9)),
      `${label} has too many digits.`,
    )
    .transform((value) => money(value));

/** An instant: services give Date, callers get ISO text. */
export const instantOut = z
  .union([z.date(), z.iso.datetime()])
  .transform((value) => (value instanceof Date ? value.toISOString() : value))
  .meta({ type: "string", format: "date-time" });

/** A fraction or ratio: a double, or null with the reason elsewhere. NaN and infinity never reach the wire. */
export const ratioOut = z.number().finite().nullable();

export const emailIn = z
  .string()
  .trim()
  // Before lower case: the Kelvin sign would become a k, and the mail another person's.
  .regex(/^[\x20-\x7e]*$/, "Enter a valid email address.")
  .toLowerCase()
  .max(254, "Enter a shorter email address.")
  .pipe(z.email("Enter a valid email address."));

/** False for years that Postgres has none of, or in which an instant of New York may lie outside of its own. */
export const isDayOfOurs = (day: string) => day >= "1900-01-01" && day < "9999-01-01";

/** A day as callers name one. */
export const dayIn = (sentence: string) => z.iso.date(sentence).refine(isDayOfOurs, sentence);

/** An instant in UTC as callers name one. */
export const instantIn = z.iso
  .datetime("Not a valid time.")
  .refine((instant) => isDayOfOurs(instant.slice(0, 10)), "Not a valid time.");

export const idIn = z.uuid("Not a valid id.");
