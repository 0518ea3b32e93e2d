import { dollarText } from "../dollars.ts";
import type { Money } from "../money.ts";

/** What a limit leaves for one more entry, USD; negative when it is already broken. */
export class Room {
  private cachedText: string | null = null;

  constructor(readonly amount: Money) {}

  /** "$8,000.00": the candidates of an account share the same few rooms. */
  get text(): string {
    return (this.cachedText ??= dollarText(this.amount));
  }

  /** The smaller of both; this one where they are equal. */
  orSmaller(other: Room): Room {
    return other.amount.lt(this.amount) ? other : this;
  }
}
