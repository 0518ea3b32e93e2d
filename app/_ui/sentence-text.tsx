import Link from "next/link";
import { Fragment } from "react";
import { toneOfText } from "./tone-of-text.ts";

export interface SentencePart {
  text: string;
  isAmount: boolean;
}

interface SentenceText {
  parts: readonly SentencePart[];
  cites: readonly { label: string; href: string }[];
}

/** "$524.19" */
const PRICE = /(\$\d[\d,]*(?:\.\d+)?)/;

/** A sentence writes prices with their sign; levels and counts have none and stay. */
const Prices = ({ text }: { text: string }) =>
  text.split(PRICE).map((piece, index) =>
    index % 2 === 1 ? (
      <span key={index} className="amount">
        {piece}
      </span>
    ) : (
      piece
    ),
  );

/** Text in pieces. Amounts are covered where the reader hides them, prices too: with a quantity beside them they tell the amount. */
export function SentenceParts({ parts, isToned = false }: { parts: readonly SentencePart[]; isToned?: boolean }) {
  return parts.map(({ text, isAmount }, index) =>
    isAmount ? (
      <span key={index} className={`amount tabular-nums ${isToned ? toneOfText(text) : ""}`}>
        {text}
      </span>
    ) : (
      <Prices key={index} text={text} />
    ),
  );
}

/** A sentence with the records that it tells of. A record whose page this is needs no link. */
export function SentenceText({ sentence: { parts, cites }, here }: { sentence: SentenceText; here?: string }) {
  return (
    <>
      <SentenceParts parts={parts} />
      {cites
        .filter(({ href }) => href !== here)
        .map(({ label, href }) => (
          <Fragment key={href}>
            {" "}
            <Link
              href={href}
              className="ml-1 rounded-sm text-xs whitespace-nowrap text-accent underline-offset-4 hover:underline"
            >
              {label}
            </Link>
          </Fragment>
        ))}
    </>
  );
}
