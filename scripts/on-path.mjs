import fs from "node:fs";
import path from "node:path";

/** The file that a command name means, looked for on PATH and in further folders. */
export function onPath(name, extra = []) {
  const folders = [...(process.env.PATH ?? "").split(":"), ...extra];
  return folders
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        fs.accessSync(file, fs.constants.X_OK);
        return fs.statSync(file).isFile();
      } catch {
        return false;
      }
    });
}
