// Files that a crash leaves as they were before or as they are after, and never half written. No dependency: this runs before anything is installed.
import fs from "node:fs";

/** On the disk when it returns, and for the owner's eyes only. */
export function writeWhole(file, text) {
  const half = `${file}.new`;
  const handle = fs.openSync(half, "w", 0o600);
  try {
    fs.writeFileSync(handle, text);
    // Else a rename may reach the disk before the content does, and a loss of power leaves an empty file.
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  fs.renameSync(half, file);
}
