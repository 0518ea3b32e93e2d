import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Failure } from "@/lib/domain/failures.ts";

/** What has been downloaded so far, in a folder beside the tape: each part whole or not at all. */
export interface Parts {
  /** The rows of a part, fetched only if it is not there yet. */
  rows(name: string, fetch: () => Promise<string[]>): Promise<string[]>;
  remove(): void;
}

function writeWhole(file: string, content: string): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

/** Opens the folder; parts of another request are not mixed with this one's. */
export function openParts(directory: string, request: object): Parts {
  const folder = path.join(directory, ".parts");
  const asked = JSON.stringify(request);
  const label = path.join(folder, "request.json");
  if (existsSync(label) && readFileSync(label, "utf8") !== asked)
    throw new Failure(
      "invalid_input",
      `${folder} holds parts of another download. Give the same command again, or remove that folder.`,
    );
  mkdirSync(folder, { recursive: true });
  writeWhole(label, asked);
  return {
    async rows(name, fetch) {
      const file = path.join(folder, `${name}.csv`);
      if (existsSync(file))
        return readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line !== "");
      const rows = await fetch();
      writeWhole(file, rows.join("\n"));
      return rows;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
