import { readFileSync } from "node:fs";
import { format } from "oxfmt";

/** A generated file's text as `npm run format` would leave it; `file` says its kind by its name. */
export async function formatted(file: string, text: string): Promise<string> {
  const options = JSON.parse(readFileSync(new URL("../.oxfmtrc.json", import.meta.url), "utf8"));
  const { code, errors } = await format(file, text, options);
  if (errors.length > 0) throw new Error(`${file} cannot be formatted: ${errors[0]!.message}`);
  return code;
}
