/** Kept by scripts/admission.mjs, which stands in front of the build. */
interface Admission {
  readonly reads: number;
  readonly turnedAway: number;
  readonly isBusy: boolean;
}

const shared = globalThis as unknown as { tradewindAdmission?: Admission };

/** What is admitted and shed before it reaches this code; nothing where no front server runs. */
export const admission = (): Admission => shared.tradewindAdmission ?? { reads: 0, turnedAway: 0, isBusy: false };
