/**
 * The changes that a how-to tells, read from its fenced code. The words behind the language name the file: "ts lib/x.ts" is a whole
 * new file, "diff lib/x.ts" changes one that is there. Other fences, such as commands, change nothing.
 */
export interface Change {
  file: string;
  isNew: boolean;
  text: string;
}

const FENCE = /^```(\S+) (\S.*)\n([\s\S]*?)^```$/gm;

/** Fails where the sentences since the fence before do not name the file: on paper the words behind the language are not seen. */
export function changesOf(document: string): Change[] {
  const changes: Change[] = [];
  let end = 0;
  for (const found of document.matchAll(FENCE)) {
    const [whole, language, file = "", text = ""] = found;
    const told = document.slice(end, found.index);
    if (!told.includes(`\`${file}\``)) throw new Error(`the reader is not told that the code is of ${file}`);
    end = found.index + whole.length;
    changes.push({ file, isNew: language !== "diff", text });
  }
  return changes;
}

/** The file's new text; `before` is null where there is none. Fails where the document no longer fits the file. */
export function applyChange({ file, isNew, text }: Change, before: string | null): string {
  if (isNew) {
    if (before !== null) throw new Error(`${file} is there already`);
    return text;
  }
  if (before === null) throw new Error(`${file} is not there`);
  return text.split(/^@@.*\n/m).reduce((made, hunk) => applyHunk(file, hunk, made), before);
}

function applyHunk(file: string, hunk: string, text: string): string {
  const lines = hunk.split("\n").slice(0, -1);
  const strange = lines.find((line) => !/^[ +-]/.test(line) && line !== "");
  if (strange !== undefined) throw new Error(`${file}: neither kept, added nor removed: ${strange}`);
  // An editor removes the blank that an empty line keeps.
  const without = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`);
  const [old, changed] = [without("+").join(""), without("-").join("")];
  if (old === "") throw new Error(`${file}: no line says where this belongs:\n${changed}`);
  if (old === changed) throw new Error(`${file} is not changed by:\n${old}`);
  const places = [...text.matchAll(/^/gm)].map(({ index }) => index).filter((at) => text.startsWith(old, at));
  const [at = 0] = places;
  if (places.length !== 1) throw new Error(`${file} has this ${places.length} times, not once:\n${old}`);
  return text.slice(0, at) + changed + text.slice(at + old.length);
}
