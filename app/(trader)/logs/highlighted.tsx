import { piecesOf } from "../../_ui/money.tsx";

/** A text in which what is searched for is marked; `words` are in lower case. Its amounts can be covered. */
export function Highlighted({ text, query }: { text: string; query: string }) {
  const found: { from: number; to: number }[] = [];
  const low = text.toLowerCase();
  for (let at = query === "" ? -1 : low.indexOf(query); at >= 0; at = low.indexOf(query, at + query.length))
    found.push({ from: at, to: at + query.length });
  return piecesOf(text).map((piece) => {
    const marked = <Marked key={piece.at} piece={piece} found={found} />;
    return piece.isAmount ? (
      <span key={piece.at} className="amount">
        {marked}
      </span>
    ) : (
      marked
    );
  });
}

interface MarkedProps {
  piece: { at: number; text: string };
  /** Places in the whole text. */
  found: readonly { from: number; to: number }[];
}

function Marked({ piece: { at, text }, found }: MarkedProps) {
  const end = at + text.length;
  const inside = found
    .filter(({ from, to }) => from < end && to > at)
    .map(({ from, to }) => ({ from: Math.max(from, at), to: Math.min(to, end) }));
  return [
    ...inside.flatMap(({ from, to }, i) => [
      text.slice((inside[i - 1]?.to ?? at) - at, from - at),
      <mark key={from} className="rounded-sm bg-warn-soft text-warn ring-1 ring-warn/30">
        {text.slice(from - at, to - at)}
      </mark>,
    ]),
    text.slice((inside.at(-1)?.to ?? at) - at),
  ];
}
