import { Failure } from "@/lib/domain/failures.ts";

/** What the system says of a path that cannot be used, by its code. */
const PATH_FAULTS: Record<string, string> = {
  ENOENT: "does not exist",
  EACCES: "cannot be used: permission is denied",
  EPERM: "cannot be used: permission is denied",
  EROFS: "cannot be written: the file system is read-only",
  EISDIR: "is a directory, not a file",
  ENOTDIR: "is not a directory",
  EEXIST: "exists and is not a directory",
  ENAMETOOLONG: "has too long a name",
};

/** What a command says of an error, and its exit code: 2 for a wrong input, in one sentence; 1 for everything else, with its stack. */
export function commandFailure(error: unknown): { said: unknown; code: 1 | 2 } {
  if (error instanceof Failure) return { said: error.message, code: error.code === "invalid_input" ? 2 : 1 };
  const { code, path } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException;
  const fault = PATH_FAULTS[code ?? ""];
  return fault === undefined || path === undefined ? { said: error, code: 1 } : { said: `${path} ${fault}.`, code: 2 };
}
