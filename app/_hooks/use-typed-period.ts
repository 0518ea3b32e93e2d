"use client";
import { useState } from "react";
import { useSettled } from "./use-settled.ts";

/** A year is typed digit by digit: on the way to 2018 the field holds 0002, 0020 and 0201. */
const isYearTyped = (day: string) => day.startsWith("0");

/** A period that ends before it begins; days of the form 2026-11-22 stand in order as texts do. */
export const isBackwards = (first: string, last: string) =>
  first !== "" && last !== "" && first > last && !isYearTyped(last);

/** While the year of a date is being typed, what is shown stays that of the date before. */
function useWholeDay(day: string): string {
  const [whole, setWhole] = useState(isYearTyped(day) ? "" : day);
  if (isYearTyped(day)) return whole;
  if (whole !== day) setWhole(day);
  return day;
}

/**
 * The days to ask for while two fields of dates are typed into; "" is none. While they stand the wrong way round, what is
 * shown stays that of the days before: the field says what is wrong.
 */
export function useTypedPeriod(typedFirst: string, typedLast: string): { first: string; last: string } {
  const first = useWholeDay(useSettled(typedFirst));
  const last = useWholeDay(useSettled(typedLast));
  const [kept, setKept] = useState({ first, last });
  const isKept = kept.first === first && kept.last === last;
  if (!isKept && !isBackwards(first, last)) setKept({ first, last });
  return kept;
}
