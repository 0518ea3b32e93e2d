import * as z from "zod";
import { GRID_AXES, RUN_STATUSES } from "@/lib/domain/enums.ts";
import { idIn, instantOut, ratioOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

const axis = z.enum(GRID_AXES);

/** A setting with the values that it takes, written out: "$5,000", "3%". */
const axisOut = z.object({
  axis,
  label: z.string(),
  hint: z.string(),
  /** Rising. */
  values: z.array(z.string()),
  /** The place of the backtest's own value. */
  own: z.number().int(),
});

/** A figure of one run; null where it is not defined, and why. */
const measureOut = z.object({ value: ratioOut, reason: z.string().nullable() });

/** Ratios as fractions, the drawdown ≤ 0, trades as round trips, exposure as the mean share of equity. */
const cellOut = z.object({
  totalReturn: measureOut,
  maxDrawdown: measureOut,
  sharpe: measureOut,
  trades: measureOut,
  exposure: measureOut,
});

const gridOut = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  /** True where no worker answers: it continues when one does. */
  isStalled: z.boolean(),
  /** Runs that are done; `readPercent` says how much of the history is read before the first of them. */
  progress: z.object({
    done: z.number().int(),
    total: z.number().int(),
    readPercent: z.number().int().nullable(),
  }),
  rows: axisOut,
  columns: axisOut,
  /** Why it failed, in words. */
  error: z.string().nullable(),
  /** wall time */
  finishedAt: instantOut.nullable(),
  /** Null until it is done. */
  result: z
    .object({
      /** What the runs say of the settings chosen. */
      sentence: z.string(),
      /** How the runs count in the overfit meter. */
      tries: z.string(),
      /** Why the chosen cell is not the backtest's own result; null where it is. */
      drift: z.string().nullable(),
      /** By row, then by column. */
      cells: z.array(z.array(cellOut)),
    })
    .nullable(),
});

export const backtestGridsApi = {
  start: endpoint({
    method: "POST",
    path: "/backtests/{id}/grid",
    access: "user",
    limit: "api",
    summary:
      "Repeat a finished backtest with two of its settings varied. One at a time per user: a new one ends the one before. The runs count as tries in the overfit meter.",
    input: z.strictObject({ id: idIn, rows: axis, columns: axis }),
    output: gridOut,
  }),
  read: endpoint({
    method: "GET",
    path: "/backtests/{id}/grid",
    access: "user",
    limit: "api",
    summary: "Which settings of a backtest can be varied, and the last result.",
    input: z.strictObject({ id: idIn }),
    output: z.object({
      /** The settings that have room to be varied. */
      axes: z.array(axisOut),
      /** Pairs whose runs are kept: asked for again they are shown, and count no more. */
      played: z.array(z.object({ rows: axis, columns: axis })),
      /** Null where nothing was asked for. */
      grid: gridOut.nullable(),
    }),
  }),
};
