import { byCondition, counted, type Gate } from "./gate.ts";

/** The size came out as at least one whole share that is worth its cost. */
export const sizeGate: Gate = ({ size }) =>
  byCondition(
    "size",
    size.refusal === null,
    size.refusal ?? `${counted(size.qty.toNumber(), "share")}, bound by ${size.boundBy}`,
  );
