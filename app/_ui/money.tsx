import { moneyText, signedMoneyText } from "@/lib/domain/format.ts";

const toneOf = (value: number) => (value > 0 ? "text-gain" : value < 0 ? "text-loss" : "");

interface MoneyProps {
  value: number | null | undefined;
  /** A change: sign and colour say which way. */
  isChange?: boolean;
}

export function Money({ value, isChange = false }: MoneyProps) {
  if (!isChange) return <span className="amount tabular-nums">{moneyText(value)}</span>;
  return <span className={`amount tabular-nums ${toneOf(value ?? 0)}`}>{signedMoneyText(value)}</span>;
}
