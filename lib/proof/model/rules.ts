/**
 * What the model is driven by: the very functions that the order services call, and the steps whose order the services
 * themselves keep. A mutant replaces some of them; nothing else differs between it and the protocol.
 */
import type { OrderStatusName } from "@/lib/domain/enums.ts";
import { executionId } from "@/lib/domain/ids.ts";
import { identityMismatch, isInFlight } from "@/lib/domain/orders.ts";
import { afterAnswer, sendClass } from "@/lib/domain/protocol/answer.ts";
import { blocksNewOrder } from "@/lib/domain/protocol/intent-states.ts";
import { afterLookup, isUnresolved, isLookupDue, nextAskAtMs } from "@/lib/domain/protocol/lookup.ts";
import {
  isFreshMark,
  markStep,
  mayAskAgain,
  mayPost,
  refusalToRenew,
  throttleWaitMs,
} from "@/lib/domain/protocol/mark.ts";
import { closeParked } from "@/lib/domain/protocol/parked.ts";
import { compareLegs, recoveryStep, refusalToResume } from "@/lib/domain/protocol/recovery.ts";
import { intentAfterReport, orderAfterReport, releaseStep } from "@/lib/domain/protocol/report.ts";
import { readFromMs } from "@/lib/domain/protocol/watermark.ts";
import { fillingStep, protectingStep } from "@/lib/domain/protocol/protecting.ts";
import { coverageOf, sharesToProtect } from "@/lib/domain/protection.ts";
import { refusalToSend } from "@/lib/server/services/orders/refusal-to-send.ts";

const FUNCTIONS = {
  afterAnswer,
  afterLookup,
  blocksNewOrder,
  closeParked,
  compareLegs,
  coverageOf,
  executionId,
  fillingStep,
  identityMismatch,
  intentAfterReport,
  isFreshMark,
  isInFlight,
  isUnresolved,
  isLookupDue,
  markStep,
  mayAskAgain,
  mayPost,
  nextAskAtMs,
  orderAfterReport,
  protectingStep,
  readFromMs,
  recoveryStep,
  refusalToRenew,
  refusalToResume,
  refusalToSend,
  releaseStep,
  sendClass,
  sharesToProtect,
  throttleWaitMs,
};

const STEPS = {
  /** The mark is committed before the call. */
  marksBeforePost: true,
  /** A commit that was not confirmed is not believed. */
  waitsForCommit: true,
  /** The mark changes only an intent that still is GATED. */
  comparesStatusAtMark: true,
  /** One live intent per account, symbol and side, held by the database. */
  hasLiveIndex: true,
  /** One intent per plan and leg, held by the database. */
  hasLegIndex: true,
  /** New work only for an account whose books were read. */
  recoversBeforeWork: true,
  /** What recovery finds unsent is never sent. */
  recoverySends: false,
  /** No second request for an answer that was lost. */
  postsOnce: true,
  /** A closed intent is not sent again. */
  sendsAgain: false,
  /** A closed intent is left where an order may still appear. */
  parksAs: "PARKED" as "PARKED" | "REJECTED",
  /** Orders that are not ours are taken into the books. */
  importsExternal: true,
  /** A cancel is a request: the order ends when the broker says so. */
  waitsForTheEnd: true,
  /** The stops that a sale cancels are owed before the first cancel goes out. */
  owesBeforeCancel: true,
  /** The stops that a sale cancelled are replaced at its end, whatever its outcome. */
  paysAfterSale: true,
  /** Recovery replaces the stops that the last process cancelled. */
  paysInRecovery: true,
  /** After every reading of the orders, and in rounds beside it, bare shares are protected. */
  protectsInRounds: true,
  /** A bracket's stop sells only once its entry is filled. */
  isArmed: (entry: OrderStatusName): boolean => entry === "FILLED",
  /** A fill and what follows from it are one transaction. */
  booksFillsWhole: true,
};

export const RULES = { ...FUNCTIONS, ...STEPS };
export type Rules = typeof RULES;
