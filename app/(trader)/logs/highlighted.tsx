/** A text in which what is searched for is marked; `words` are in lower case. */
export function Highlighted({ text, words }: { text: string; words: string }) {
  if (words === "") return text;
  const low = text.toLowerCase();
  const pieces: { at: number; text: string; isFound: boolean }[] = [];
  let at = 0;
  for (let found = low.indexOf(words); found >= 0; found = low.indexOf(words, at)) {
    if (found > at) pieces.push({ at, text: text.slice(at, found), isFound: false });
    pieces.push({ at: found, text: text.slice(found, found + words.length), isFound: true });
    at = found + words.length;
  }
  pieces.push({ at, text: text.slice(at), isFound: false });
  return pieces.map((piece) =>
    piece.isFound ? (
      <mark key={piece.at} className="rounded-sm bg-warn-soft text-warn ring-1 ring-warn/30">
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
