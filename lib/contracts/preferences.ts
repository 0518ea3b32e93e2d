import * as z from "zod";
import { ENVIRONMENTS, MARKETS, STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { quantityText } from "@/lib/domain/format.ts";
import { type PreferenceField, type PreferenceName, PREFERENCE_NAMES, PREFERENCES } from "@/lib/domain/preferences.ts";
import { money } from "@/lib/domain/money.ts";
import { instantOut, moneyIn, moneyOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

type Of<K extends PreferenceField["kind"]> = Extract<PreferenceField, { kind: K }>;

/** A number within the bounds of its field, in words that name them. */
function numberIn({ label, bounds }: Pick<Of<"count" | "percent">, "label" | "bounds">) {
  const range = `${label} must be between ${quantityText(bounds.min)} and ${quantityText(bounds.max)}.`;
  return z
    .number({ error: `${label} must be a number.` })
    .min(bounds.min, range)
    .max(bounds.max, range);
}

const countIn = (field: Of<"count">) => numberIn(field).int(`${field.label} must be a whole number.`);
/** Steps are described in words: as `multipleOf` most validators of a document refuse 0.3 in steps of 0.1, by the remainder of two doubles. */
const percentIn = ({ label, bounds }: Of<"percent">) =>
  numberIn({ label, bounds })
    .refine((value) => isStepOf(bounds.step, value), `${label} goes in steps of ${bounds.step}.`)
    .meta({ description: `In steps of ${bounds.step}.` })
    .pipe(moneyIn(label));

function isStepOf(step: number, value: number): boolean {
  const steps = money(value).div(money(step));
  return steps.eq(steps.toDecimalPlaces(0));
}

/** Without bounds an order of nothing or less is none, and 1e12 USD are more than any account has. */
const amountIn = ({ label, bounds }: Of<"amount">) =>
  (bounds === null
    ? z
        .number({ error: `${label} must be a number.` })
        .positive(`${label} must be more than 0.`)
        .max(1e12, `${label} has too many digits.`)
    : numberIn({ label, bounds })
  ).pipe(moneyIn(label));

const lowerIn = <V extends string>(values: readonly V[]) =>
  z
    .enum(values.map((value) => value.toLowerCase()) as [Lowercase<V>, ...Lowercase<V>[]])
    .transform((value) => value.toUpperCase() as V);
const lowerOut = <V extends string>(values: readonly V[]) =>
  z
    .enum(values as readonly [V, ...V[]])
    .transform((value) => value.toLowerCase() as Lowercase<V>)
    .meta({ type: "string", enum: values.map((value) => value.toLowerCase()) });

function fieldIn(field: PreferenceField): z.ZodType {
  if (field.kind === "switch") return z.boolean();
  if (field.kind === "choice") return field.isLowerOnWire ? lowerIn(field.values) : z.enum(field.values);
  if (field.kind === "count") return countIn(field);
  return field.kind === "percent" ? percentIn(field) : amountIn(field);
}

function fieldOut(field: PreferenceField): z.ZodType {
  if (field.kind === "switch") return z.boolean();
  if (field.kind === "choice") return field.isLowerOnWire ? lowerOut(field.values) : z.enum(field.values);
  return field.kind === "count" ? z.number().int() : moneyOut;
}

/** What the two functions answer for the field of a name. */
type EnumOf<V extends string> = z.ZodEnum<{ [K in V]: K }>;
type FieldIn<F> = F extends { kind: "switch" }
  ? z.ZodBoolean
  : F extends { kind: "choice"; values: readonly (infer V extends string)[] }
    ? F extends { isLowerOnWire: true }
      ? ReturnType<typeof lowerIn<V>>
      : EnumOf<V>
    : F extends { kind: "count" }
      ? ReturnType<typeof countIn>
      : ReturnType<typeof percentIn>;
type FieldOut<F> = F extends { kind: "switch" }
  ? z.ZodBoolean
  : F extends { kind: "choice"; values: readonly (infer V extends string)[] }
    ? F extends { isLowerOnWire: true }
      ? ReturnType<typeof lowerOut<V>>
      : EnumOf<V>
    : F extends { kind: "count" }
      ? z.ZodNumber
      : typeof moneyOut;

const shapeOf = (field: (given: PreferenceField) => z.ZodType) =>
  Object.fromEntries(PREFERENCE_NAMES.map((name) => [name, field(PREFERENCES[name])]));
/** The settings as they are sent, wherever a person gives them. */
export const tradingIn = z.strictObject(
  shapeOf(fieldIn) as { [K in PreferenceName]: FieldIn<(typeof PREFERENCES)[K]> },
);
/** Fields as they were read, of which none is judged: what is stored may be older than a bound. */
const basedOnIn = z
  .strictObject(
    Object.fromEntries(
      PREFERENCE_NAMES.map((name) => [name, z.union([z.string().max(100), z.number(), z.boolean()])]),
    ) as {
      [K in PreferenceName]: z.ZodUnion<[z.ZodString, z.ZodNumber, z.ZodBoolean]>;
    },
  )
  .partial();
const tradingOut = z.object(shapeOf(fieldOut) as { [K in PreferenceName]: FieldOut<(typeof PREFERENCES)[K]> });

const notifications = {
  emailNotifications: z.boolean(),
  orderNotifications: z.boolean(),
  tradeNotifications: z.boolean(),
  weeklySummary: z.boolean(),
  systemAlerts: z.boolean(),
};

/** One sentence for each choice, by its value on the wire. */
const wordsByLevel = z.object({ low: z.string(), medium: z.string(), high: z.string() });

const fractionOut = z.number().finite();

/** One backtest with ten places that can take all of the money, costs included. Fractions. */
const historyOut = z.object({
  market: z.enum(MARKETS),
  /** First and last traded session. */
  from: z.iso.date(),
  to: z.iso.date(),
  sessions: z.number().int(),
  cash: moneyOut,
  totalReturn: fractionOut,
  /** SPY over the same sessions, dividends reinvested; null where it did not trade. */
  indexReturn: fractionOut.nullable(),
  /** ≤ 0 */
  maxDrawdown: fractionOut,
  /** Round trips that came to an end, and the share of them that won among those that won or lost; null where none did. */
  trades: z.number().int(),
  winRate: fractionOut.nullable(),
  /** Mean of positions over equity at the closes. */
  exposure: fractionOut,
  /** What 100 had become by the close of some sessions, the last one and the one before the first among them. */
  points: z.array(z.object({ session: z.iso.date(), strategy: fractionOut, index: fractionOut.nullable() })),
  policyVersion: z.string(),
  computedAt: instantOut,
  /** What it is a history of, what it began with, and all of its figures, each in words. */
  label: z.string(),
  basis: z.string(),
  sentence: z.string(),
});

/** The settings in words, with the numbers of the policy in force. */
const explainedOut = z.object({
  strategies: z.array(
    z.object({
      strategy: z.enum(STRATEGY_NAMES),
      label: z.string(),
      /** What it buys, and how. */
      does: z.array(z.string()),
      trades: z.string(),
      holds: z.string(),
      struggles: z.string(),
      /** Of the market of the account that amounts are set beside; null for the reason beside it. */
      history: historyOut.nullable(),
      historyReason: z.string().nullable(),
    }),
  ),
  /** Holds for each strategy. */
  common: z.string(),
  riskTolerance: wordsByLevel,
  riskLevel: wordsByLevel,
  /** The account that amounts are set beside: the oldest active one of the most real environment; null where none has money. */
  account: z.object({ environment: z.enum(ENVIRONMENTS), label: z.string(), equity: moneyOut }).nullable(),
});

const profileOut = z.object({ displayName: z.string().nullable(), bio: z.string().nullable() });

export const preferencesApi = {
  readTrading: endpoint({
    method: "GET",
    path: "/preferences/trading",
    access: "user",
    limit: "api",
    summary: "How the automation trades for the user.",
    input: z.strictObject({}),
    output: tradingOut,
  }),
  saveTrading: endpoint({
    method: "PUT",
    path: "/preferences/trading",
    token: "STEER",
    stepUp: "loosening",
    access: "user",
    limit: "api",
    summary:
      "Save all trading preferences. They apply from the next decision on. With basedOn, the preferences as they were read, a field that is sent back as it was read and was changed since is not overwritten: the answer is 409, and nothing is saved. Without it all are taken as they are sent.",
    input: tradingIn.extend({ basedOn: basedOnIn.optional() }),
    output: tradingOut,
  }),
  explain: endpoint({
    method: "GET",
    path: "/preferences/strategies",
    access: "user",
    limit: "api",
    summary:
      "What each strategy and level of risk does, in words with the numbers of the policy in force, and the history of each strategy.",
    input: z.strictObject({}),
    output: explainedOut,
  }),
  readNotifications: endpoint({
    method: "GET",
    path: "/preferences/notifications",
    token: "NONE",
    access: "user",
    limit: "api",
    summary: "Which emails the user wants.",
    input: z.strictObject({}),
    output: z.object(notifications),
  }),
  saveNotifications: endpoint({
    method: "PUT",
    path: "/preferences/notifications",
    access: "user",
    limit: "api",
    summary:
      "Save which emails the user wants. Emails about the security of the sign-in are always sent. With basedOn, the switches as they were read, one that is sent back as it was read stays as it is stored.",
    input: z.strictObject({ ...notifications, basedOn: z.strictObject(notifications).partial().optional() }),
    output: z.object(notifications),
  }),
  readProfile: endpoint({
    method: "GET",
    path: "/preferences/profile",
    token: "NONE",
    access: "user",
    limit: "api",
    summary: "The user's display name and bio.",
    input: z.strictObject({}),
    output: profileOut,
  }),
  saveProfile: endpoint({
    method: "PUT",
    path: "/preferences/profile",
    access: "user",
    limit: "api",
    summary: "Save display name and bio, where the flag profile_editing is on.",
    input: z.strictObject({
      displayName: z.string().trim().max(80, "A display name may have 80 characters at most."),
      bio: z.string().trim().max(500, "A bio may have 500 characters at most."),
    }),
    output: profileOut,
  }),
};
