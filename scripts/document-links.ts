/** What a document leads to: files, headings and commands. Each rule answers what is wrong, a line for each finding. */
import path from "node:path";
import { slugOf } from "./heading-slug.mjs";

/** A document's lines outside of fenced code, where brackets and number signs mean nothing. */
function proseOf(document: string): string[] {
  let fence: string | null = null;
  return document.split("\n").filter((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    const isOutside = fence === null && mark === null;
    if (fence === null) fence = mark;
    else if (mark !== null && mark.startsWith(fence) && line.trim() === mark) fence = null;
    return isOutside;
  });
}

const withoutCode = (line: string) => line.replace(/(`+)(?:.*?[^`])\1(?!`)/g, "");
/** The words of a heading: emphasis and links are no part of its anchor. */
const plain = (heading: string) => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");

/** The anchors of a document, as GitHub numbers those that occur twice. */
export function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of proseOf(document)) {
    const heading = /^#{1,6} +(.*?)(?: +#+)?$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = slugOf(plain(heading));
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Where the links and pictures of a document lead, as they are written; addresses of other sites are left out. */
export function linksOf(document: string): string[] {
  const prose = proseOf(document).map(withoutCode).join("\n");
  const inline = [...prose.matchAll(/\]\(\s*<?([^()\s>]+)>?[^()]*\)/g)].map(([, target = ""]) => target);
  const named = [...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)].map(([, target = ""]) => target);
  const html = [...prose.matchAll(/\s(?:src|srcset|href)="([^"\s]+)"/g)].map(([, target = ""]) => target);
  return [...inline, ...named, ...html].filter((target) => !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target));
}

/** Every relative link leads to a file or folder that is there, and every anchor to a heading. `read`: null where there is no such document. */
export function linkProblems(
  file: string,
  document: string,
  read: (file: string) => string | null,
  isThere: (file: string) => boolean,
): string[] {
  return linksOf(document).flatMap((link) => {
    const [target = "", anchor] = link.split("#");
    const place = target === "" ? file : path.posix.join(path.posix.dirname(file), decodeURIComponent(target));
    if (place.startsWith("..") || target.startsWith("/")) return [`${link} leads out of the checkout`];
    if (!isThere(place)) return [`${link}: there is no ${place}`];
    if (anchor === undefined) return [];
    const text = place === file ? document : read(place);
    return text !== null && anchorsOf(text).has(anchor) ? [] : [`${link}: ${place} has no heading #${anchor}`];
  });
}

/** What may be run: scripts of package.json, stages of `npm test`, proofs of `npm run prove`. */
export interface Commands {
  scripts: readonly string[];
  stages: readonly string[];
  proofs: readonly string[];
}

/** Words behind `--` up to an option, a comment or where code ends. */
const namesIn = (text: string) =>
  /^[ a-z\d-]*/
    .exec(text)![0]
    .split(" ")
    .filter((word) => /^[a-z]/.test(word));
const unknownOf = (what: string, known: readonly string[], names: readonly string[]) =>
  names.filter((name) => !known.includes(name)).map((name) => `there is no ${what} "${name}"`);

/** Every `npm run …`, `npm test -- …`, `npm run prove -- …` and `node <file>` that a document names is there. */
export function commandProblems(
  document: string,
  { scripts, stages, proofs }: Commands,
  isThere: (file: string) => boolean,
): string[] {
  const all = (pattern: RegExp) => [...document.matchAll(pattern)].map(([, found = ""]) => found);
  // "bench:…" stands for those that begin with it.
  const isKnown = (name: string) =>
    name.endsWith("…") ? scripts.some((script) => script.startsWith(name.slice(0, -1))) : scripts.includes(name);
  // A line of a block says in words, two blanks away, what its command does.
  const behind = (command: string) => all(new RegExp(`${command} -- ([^\`\\n#]*?)(?= {2}|[\`\\n#]|$)`, "g"));
  return [
    ...all(/\bnpm run (?:--silent )?([a-z][\w:…-]*)/g)
      .filter((name) => !isKnown(name))
      .map((name) => `there is no script "${name}"`),
    ...behind("npm test").flatMap((text) => unknownOf("stage", stages, namesIn(text))),
    ...behind("npm run prove").flatMap((text) => unknownOf("proof", proofs, namesIn(text))),
    ...all(/\bnode (?:--[\w-]+(?: tsx)? )*((?:scripts|prisma|workers|packages|bench)\/[\w./-]+\.(?:mjs|ts))/g)
      .filter((file) => !isThere(file))
      .map((file) => `there is no file ${file}`),
  ];
}

/** Every option that a document gives to `npm run …` is one that its program reads. `sourceOf`: the program's text, null where there is none. */
export function optionProblems(document: string, sourceOf: (script: string) => string | null): string[] {
  const calls = [...document.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*) -- ([^`\n#"]*)/g)];
  return calls.flatMap(([, script = "", text = ""]) => {
    const source = sourceOf(script);
    const options = [...text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, option = ""]) => option);
    // As it is read by hand, or as a key of parseArgs.
    const isRead = (option: string) =>
      new RegExp(`--${option}(?![\\w-])|(?<![\\w-])"?${option}"?: \\{`).test(source ?? "");
    return source === null
      ? []
      : options.filter((option) => !isRead(option)).map((option) => `npm run ${script} knows no option --${option}`);
  });
}
