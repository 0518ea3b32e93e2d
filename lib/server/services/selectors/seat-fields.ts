import type { Prisma } from "../../db.ts";

type Seat = Omit<
  Prisma.SeatGetPayload<object>,
  "selectionId" | "symbol" | "sector" | "momentumPercentile" | "coverage"
>;

/** A stored seat in the specification's names. */
export const seatFields = (seat: Seat) => ({
  rank: seat.rank,
  lastPrice: seat.lastPrice.toString(),
  compositeScore: seat.compositeScore,
  liquidityScore: seat.liquidityScore,
  sentimentScore: seat.sentimentScore,
  technicalScore: seat.technicalScore,
  freshOrSticky: seat.kind,
  tenureSessions: seat.tenureSessions,
  reasons: seat.reasons,
});
