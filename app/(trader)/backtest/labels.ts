import type { backtestsApi } from "@/lib/contracts/backtests.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { dateText } from "@/lib/domain/format.ts";

export type Run = Answer<typeof backtestsApi.read>;
export type RunRow = Answer<typeof backtestsApi.list>["backtests"][number];
export type Result = NonNullable<Run["result"]>;
export type RunAnswer = Result["answer"];
export type Figure = Result["figures"][number];

export const MARKET_LABELS: Record<RunRow["market"], string> = { PRACTICE: "Practice market", US: "US market" };

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** 1 … 12 → "Jan" … "Dec" */
export const monthName = (month: number) => MONTHS[month - 1] ?? "";

/** "10 Jan 2020 – 30 Jun 2020" */
export const spanText = ({ from, to }: { from: string; to: string }) => `${dateText(from)} – ${dateText(to)}`;
