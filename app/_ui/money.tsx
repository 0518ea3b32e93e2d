import { moneyText, signedMoneyText } from "@/lib/domain/format.ts";

/** What reads $0.00 points nowhere. */
const toneOf = (value: number) => (Math.abs(value) < 0.005 ? "" : value > 0 ? "text-gain" : "text-loss");

interface MoneyProps {
  value: number | null | undefined;
  /** A change: sign and colour say which way. */
  isChange?: boolean;
}

/** Every amount of money stands in an element of this class, so that it can be covered (use-amounts.ts). */
export function Money({ value, isChange = false }: MoneyProps) {
  if (!isChange) return <span className="amount tabular-nums">{moneyText(value)}</span>;
  return <span className={`amount tabular-nums ${toneOf(value ?? 0)}`}>{signedMoneyText(value)}</span>;
}

/** "$1,234.50", "1000.00 USD"; without a unit whatever has two decimals, as the rules of the engine write it. */
const AMOUNT =
  /[+\-−]?\$\d[\d,]*(?:\.\d+)?|[+\-−]?\d[\d,]*(?:\.\d+)?(?= USD)|(?<![\d.,])[+\-−]?[1-9][\d,]*\.\d\d(?![\d.]| ?%| ?bps)/g;

export interface Piece {
  at: number;
  text: string;
  isAmount: boolean;
}

/** A text that was written elsewhere, cut where its amounts begin and end. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(AMOUNT)) {
    if (index > at) pieces.push({ at, text: text.slice(at, index), isAmount: false });
    pieces.push({ at: index, text: found, isAmount: true });
    at = index + found.length;
  }
  if (at < text.length) pieces.push({ at, text: text.slice(at), isAmount: false });
  return pieces;
}

/** A text in which every amount can be covered. */
export function AmountsText({ text }: { text: string }) {
  return piecesOf(text).map((piece) =>
    piece.isAmount ? (
      <span key={piece.at} className="amount">
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
}
