"use client";
import { browserChoice } from "./browser-choice.ts";

const rows = browserChoice("table_density", ["comfortable", "dense"]);

/** How close the rows of all tables stand: a choice of this browser. */
export const useDensity = () => ({ density: rows.useChosen(), choose: rows.choose });
