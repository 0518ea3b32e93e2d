// What a process says beside its log (the framework's own words, warnings, crashes) as JSON lines like those of log.ts. Plain JavaScript: the
// web process starts with it, before anything is built.
import { inspect } from "node:util";

/** Broker key ids, tokens, password hashes and long mixed-case secrets. */
/** @type {[RegExp, string][]} */
const SECRETS = [
  [/\b(?:PK|AK|CK|TP)[A-Z0-9]{14,}\b/g, "[key]"],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, "[token]"],
  // A part of one too: what is cut off may be known from elsewhere.
  [/twp_[\w-]+/g, "[token]"],
  [/\$argon2\S+/g, "[hash]"],
  [/(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{36,}(?![\w-])/g, "[secret]"],
  [/(?<![0-9a-f])[0-9a-f]{96,}/gi, "[secret]"],
  // Secrets of authenticator apps (base32) and recovery codes.
  [/(?<![\w-])[A-Z2-7]{32}(?![\w-])/g, "[secret]"],
  [/(?<![\w-])(?:[A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}(?![\w-])/g, "[recovery code]"],
  [/\b(Bearer|Basic)\s+\S+/gi, "$1 [token]"],
  [/\b(access_token|oauth_token|client_secret)(["']?\s*[:=]\s*["']?)[^\s"'&,}]+/gi, "$1$2[token]"],
  [/([?&](?:code|state)=)[^\s"'&]+/g, "$1[token]"],
  [/:\/\/[^\s/@]+@/g, "://[credentials]@"],
];
/** They, and the addresses of people, never reach a log, whatever field they hide in. */
/** @type {[RegExp, string][]} */
const SHAPES = [
  ...SECRETS,
  [/(?:"[^"\s]*"|(?<![\p{L}\p{N}_.+-])[\p{L}\p{N}_.+'&-]+)@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, "[email]"],
];

/**
 * Alpaca's access tokens look like the ids of any row: what this process has handled is known by its text. One set for the
 * process, in which the bundler may have several copies of this module.
 * @type {Set<string>}
 */
const hidden = (globalThis[Symbol.for("tradewind.hidden-from-output")] ??= new Set());
const HIDDEN_MOST = 20_000;
const HIDDEN_FROM_LENGTH = 16;
const LONG_WORD = /[\w.~+/=-]{16,}/g;

/**
 * Never to be written by this process.
 * @param {string} secret
 */
export function hideFromOutput(secret) {
  if (secret.length < HIDDEN_FROM_LENGTH) return;
  hidden.delete(secret);
  hidden.add(secret);
  if (hidden.size > HIDDEN_MOST) hidden.delete(hidden.values().next().value);
}

/** What JSON leaves as it is and a terminal or a viewer obeys: C1 controls, line separators, marks that turn the reading order. */
const UNSEEN = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const TEXT_MAX = 4_000;
/** Longer than any secret that has a shape: none is cut in two and missed. */
const MARGIN = 400;

/** @param {string} text */
export const scrub = (text) => without(SHAPES, text);

/**
 * For what a person is shown, in which the address of another may stand.
 * @param {string} text
 */
export const scrubSecrets = (text) => without(SECRETS, text);

/**
 * @param {[RegExp, string][]} shapes
 * @param {string} text
 */
function without(shapes, text) {
  const seen = text.slice(0, TEXT_MAX + MARGIN);
  const known = hidden.size === 0 ? seen : seen.replace(LONG_WORD, (word) => (hidden.has(word) ? "[token]" : word));
  return shapes
    .reduce((rest, [shape, instead]) => rest.replace(shape, instead), known)
    .slice(0, TEXT_MAX)
    .replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const COLOUR = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;
const [INFO, ERROR] = [30, 50];

/** Null where nothing is said. What a caller sent stays inside of one JSON string, whatever line ends it holds. */
function lineOf(name, level, text) {
  const msg = scrub(text.replace(COLOUR, "")).trim();
  if (msg === "") return null;
  return `${JSON.stringify({ level, time: new Date().toISOString(), name, event: "output.captured", msg })}\n`;
}

/**
 * From here on each write to standard output or error is one line of JSON, and so are Node's warnings and what ends the process.
 * @param {string} name
 */
export function speakInLines(name) {
  const error = process.stderr.write.bind(process.stderr);
  for (const [stream, level] of /** @type {const} */ ([
    [process.stdout, INFO],
    [process.stderr, ERROR],
  ])) {
    const write = stream.write.bind(stream);
    stream.write = (chunk, encoding, done) => {
      const said = typeof encoding === "function" ? encoding : done;
      const line = lineOf(name, level, typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
      if (line !== null) return write(line, said);
      said?.();
      return true;
    };
  }
  // Node writes its warnings past process.stderr.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => void process.stderr.write(`${warning.name}: ${warning.message}`));
  process.on("uncaughtException", (thrown) => {
    error(lineOf(name, ERROR, `uncaught exception, exiting: ${inspect(thrown)}`) ?? "");
    process.exit(1);
  });
}
