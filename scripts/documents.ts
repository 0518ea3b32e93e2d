import { readdirSync } from "node:fs";
import path from "node:path";

const FOLDERS = [".", "docs", "packages/client"];

/** Every document of the checkout, by its path from the root. */
export const documentFiles = (): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: folder === "docs", encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => path.posix.join(folder, ...file.split(path.sep))),
  );
