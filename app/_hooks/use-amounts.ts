"use client";
import { browserChoice } from "./browser-choice.ts";

const hidden = browserChoice("amounts_hidden", ["false", "true"]);

/** Whether amounts are covered, against a look over the shoulder: a choice of this browser. */
export const useAmounts = () => ({ areHidden: hidden.useChosen() === "true", toggle: toggleAmounts });

export const toggleAmounts = () => hidden.choose(readsHidden() ? "false" : "true");

/** What the browser keeps, for who cannot wait until the page is drawn by it. */
export const readsHidden = () => hidden.read() === "true";
