/** What a card of factors is given beside its own. */
export interface FactorCardProps {
  /** Whether the person has one factor alone, so that removing it leaves none. */
  isLast: boolean;
  /** Whether the policy asks for a factor of this person. */
  isRequired: boolean;
  onNewCodes: (codes: string[] | null) => void;
}

/** What follows from removing a factor. */
export function removalText({ isLast, isRequired }: Pick<FactorCardProps, "isLast" | "isRequired">): string {
  if (!isLast) return "Your other second factor stays.";
  const rest = "Signing in then asks only for your password, and your recovery codes are deleted.";
  return isRequired ? `${rest} The console stays closed to you until you set up another.` : rest;
}
