/** Writes docs/configuration.md anew from .env.example and the schema of the environment: `npm run configuration`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { envSchema } from "../lib/server/env.ts";
import { formatted } from "./formatted.ts";

export const CONFIGURATION_FILE = fileURLToPath(new URL("../docs/configuration.md", import.meta.url));

const HEAD = `# Configuration

<!-- Made from .env.example by \`npm run configuration\`. Do not edit. -->

\`npm start\` needs none of these settings. They are environment variables, or lines of a file \`.env\` or \`.env.local\` beside \`package.json\`; the
environment wins over \`.env.local\`, and that over \`.env\`. An empty value is none. A setting with a wrong value stops the start and is named.
Docker Compose reads \`.env\` alone. Programs that are started by hand get a file by \`node --env-file=.env …\`.

_brings its own_: \`npm start\` starts or creates it when it is not set; set it yourself when you run the programs by hand ([set-up.md](set-up.md#production)).
_none_: what belongs to it is absent.
`;

/** What the launcher starts or makes where it is not given (scripts/programs.mjs, scripts/start.mjs). */
const OWN = [
  ...["DATABASE_URL", "MIGRATION_DATABASE_URL", "REDIS_URL", "SMTP_URL", "EXCHANGE_URL", "EXCHANGE_CONTROL_TOKEN"],
  ...["NEXTAUTH_SECRET", "MASTER_KEYS", "AUDIT_KEY", "VAPID_PRIVATE_KEY", "INSTANCE_ID", "EXCHANGE_DATABASE_URL"],
];

/** Defaults of what programs beside the product read: the build, the launcher, the web server's edge, the practice market, Docker Compose. */
const ELSEWHERE: Record<string, string> = {
  NEXT_PUBLIC_API_BASE: "`/api/v1`",
  WEB_READS_AT_ONCE: "`16`",
  PORT: "`3000`, or the next free one",
  DATA_DIR: "`.data`",
  EXCHANGE_TAPE: "none: a generated market",
  EXCHANGE_START: "chosen by the market",
  EXCHANGE_SEED: "`2`",
  EXCHANGE_SPEED: "`60`",
  EXCHANGE_SKIP_CLOSED: "`1`",
  EXCHANGE_LEAD_SESSIONS: "`0`",
  COMPOSE_PROFILES: "none",
  COMPOSE_PROJECT_NAME: "`tradewind`",
  TRADEWIND_VERSION: "`0.1.0`",
  TRADEWIND_CANARY_VERSION: "`0.1.0`",
};

interface Setting {
  name: string;
  isSet: boolean;
  value: string;
  meaning: string;
}

interface Section {
  title: string;
  settings: Setting[];
}

/** The sections of the example file. A comment speaks of the settings below it, up to the next comment or empty line. */
export function sectionsOf(example: string): Section[] {
  const sections: Section[] = [];
  let comment: string[] = [];
  let isRead = true;
  for (const line of example.split("\n")) {
    const title = /^# ---- (.*) ----$/.exec(line)?.[1];
    const [, off, name = "", value = ""] = /^(# )?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (title !== undefined) sections.push({ title, settings: [] });
    else if (name !== "") {
      const plain = value.replace(/^"(.*)"$/, "$1");
      sections.at(-1)?.settings.push({ name, isSet: off === undefined, value: plain, meaning: comment.join(" ") });
      isRead = true;
    } else {
      if (isRead || line === "") comment = [];
      if (line !== "") comment.push(line.slice(2));
      isRead = false;
    }
  }
  return sections;
}

const code = (text: string) => `\`${text}\``;

function defaultOf({ name, isSet, value }: Setting): string {
  if (OWN.includes(name)) return "brings its own";
  const elsewhere = ELSEWHERE[name];
  if (elsewhere !== undefined) return elsewhere;
  if (isSet) return code(value);
  const schema = Object.entries(envSchema.shape).find(([known]) => known === name)?.[1];
  if (schema === undefined) return "needed";
  const [without, withExample] = [schema.safeParse(undefined), schema.safeParse(value)];
  const isDefault = JSON.stringify(without.data) === JSON.stringify(withExample.data) && without.data !== undefined;
  return isDefault ? code(value) : "none";
}

/** Commands and names of settings as code, documents as links, and nothing that Markdown or a table would read as its own. */
const inMarkdown = (meaning: string) =>
  meaning
    .replace(/(?:openssl|echo) .*$/, code)
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith("`")
        ? part
        : part
            .replace(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g, code)
            .replace(/docs\/([\w-]+\.md)/g, "[$1]($1)")
            .replaceAll("<", "\\<"),
    )
    .join("")
    .replaceAll("|", "\\|");

/** The document as it has to be now. */
export async function configurationText(): Promise<string> {
  const example = readFileSync(new URL("../.env.example", import.meta.url), "utf8");
  const parts = sectionsOf(example).map(({ title, settings }) => {
    const rows = settings.map((each) => `| ${code(each.name)} | ${defaultOf(each)} | ${inMarkdown(each.meaning)} |`);
    const [heading = "", ...rest] = title.split(": ");
    const sentence = rest.length > 0 ? `${rest.join(": ").replace(/^[a-z]/, (letter) => letter.toUpperCase())}.` : "";
    return [`## ${heading}`, sentence, ["| variable | default | meaning |", "| --- | --- | --- |", ...rows].join("\n")];
  });
  const text = [HEAD, ...parts.flat()].join("\n\n");
  return formatted(CONFIGURATION_FILE, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(CONFIGURATION_FILE, await configurationText());
