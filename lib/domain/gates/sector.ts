import { byMargin, byRoom, type Gate, missing } from "./gate.ts";
import { sectorRoom } from "../risk/limits.ts";

/** Largest part of equity in one sector; mean reversion holds two a sector. Margin in USD. */
export const sector: Gate = (input) => {
  if (input.order === null) return missing("sector", "no price");
  const { policy, strategy, book, order } = input;
  const name = input.view?.sector || null;
  const open = book.reversions.get(name ?? "") ?? 0;
  const most = policy.signals_confidence.reversion_max_sector;
  if (strategy === "MEAN_REVERSION" && open >= most) {
    return byMargin("sector", most - open - 1, `${open} of ${most} mean-reversion positions in ${name ?? "no sector"}`);
  }
  return byRoom("sector", sectorRoom(input), order, `${name ?? "sector not known"}: `);
};
