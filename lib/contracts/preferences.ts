import * as z from "zod";
import { RISKS, STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { moneyIn, moneyOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

/** Bounds of the trading inputs: the form shows them, the server and a constraint of the table hold them. */
export const TRADING_BOUNDS = {
  maxPositions: { min: 1, max: 20, step: 1 },
  maxPositionValue: { min: 100, max: 100_000, step: 1 },
  profitTarget: { min: 0.1, max: 50, step: 0.1 },
  stopLoss: { min: 0.1, max: 50, step: 0.1 },
  checkInterval: { min: 1, max: 60, step: 1 },
} as const;

export const TRADING_LABELS = {
  maxPositions: "Max Positions",
  maxPositionValue: "Max Position Value",
  profitTarget: "Profit Target",
  stopLoss: "Stop Loss",
  checkInterval: "Check Interval",
  defaultOrderSize: "Default Order Size",
} as const;

type Bounded = keyof typeof TRADING_BOUNDS;

const rangeText = (name: Bounded) => {
  const { min, max } = TRADING_BOUNDS[name];
  return `${TRADING_LABELS[name]} must be between ${min} and ${max}.`;
};

const bounded = (name: Bounded) => {
  const { min, max } = TRADING_BOUNDS[name];
  return z
    .number({ error: `${TRADING_LABELS[name]} must be a number.` })
    .min(min, rangeText(name))
    .max(max, rangeText(name));
};

const countIn = (name: Bounded) => bounded(name).int(`${TRADING_LABELS[name]} must be a whole number.`);
const amountIn = (name: Bounded) => bounded(name).pipe(moneyIn(TRADING_LABELS[name]));
const percentIn = (name: "profitTarget" | "stopLoss") =>
  bounded(name)
    .multipleOf(TRADING_BOUNDS[name].step, `${TRADING_LABELS[name]} goes in steps of ${TRADING_BOUNDS[name].step}.`)
    .pipe(moneyIn(TRADING_LABELS[name]));

const riskTolerance = z.enum(["low", "medium", "high"]);
const strategy = z.enum(STRATEGY_NAMES);
const riskLevel = z.enum(RISKS);

const tradingOut = z.object({
  defaultOrderSize: moneyOut,
  riskTolerance,
  paperTradingOnly: z.boolean(),
  maxPositions: z.number().int(),
  maxPositionValue: moneyOut,
  profitTarget: moneyOut,
  stopLoss: moneyOut,
  checkInterval: z.number().int(),
  strategy,
  riskLevel,
});

const notifications = {
  emailNotifications: z.boolean(),
  orderNotifications: z.boolean(),
  tradeNotifications: z.boolean(),
  weeklySummary: z.boolean(),
  systemAlerts: z.boolean(),
};

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
    stepUp: "loosening",
    access: "user",
    limit: "api",
    summary: "Save all trading preferences. They hold from the next decision on.",
    input: z.strictObject({
      /** USD; the specification gives no bound, an order of nothing or less is none. */
      defaultOrderSize: z
        .number({ error: `${TRADING_LABELS.defaultOrderSize} must be a number.` })
        .positive(`${TRADING_LABELS.defaultOrderSize} must be more than 0.`)
        .max(1e12, `${TRADING_LABELS.defaultOrderSize} has too many digits.`)
        .pipe(moneyIn(TRADING_LABELS.defaultOrderSize)),
      riskTolerance,
      paperTradingOnly: z.boolean(),
      maxPositions: countIn("maxPositions"),
      /** USD */
      maxPositionValue: amountIn("maxPositionValue"),
      /** percent */
      profitTarget: percentIn("profitTarget"),
      /** percent */
      stopLoss: percentIn("stopLoss"),
      /** minutes of market time */
      checkInterval: countIn("checkInterval"),
      strategy,
      riskLevel,
    }),
    output: tradingOut,
  }),
  readNotifications: endpoint({
    method: "GET",
    path: "/preferences/notifications",
    access: "user",
    limit: "api",
    summary: "Which mails the user wants.",
    input: z.strictObject({}),
    output: z.object(notifications),
  }),
  saveNotifications: endpoint({
    method: "PUT",
    path: "/preferences/notifications",
    access: "user",
    limit: "api",
    summary: "Save which mails the user wants. Mails about the sign-in's safety always go.",
    input: z.strictObject(notifications),
    output: z.object(notifications),
  }),
  readProfile: endpoint({
    method: "GET",
    path: "/preferences/profile",
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
