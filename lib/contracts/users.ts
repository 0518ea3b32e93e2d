import * as z from "zod";
import { downloadOut } from "./download.ts";
import { endpoint } from "./endpoint.ts";

/** What a person types to have everything of theirs erased. */
export const ERASE_WORD = "DELETE";

export const usersApi = {
  erase: endpoint({
    method: "POST",
    path: "/users/me/erase",
    stepUp: true,
    access: "user",
    limit: "api",
    summary:
      "Delete your own user account: automation stops, open entry orders are cancelled, and keys, sign-ins, preferences, logs and the name are erased. Trades are kept without the name.",
    input: z.strictObject({
      password: z.string().min(1, "Enter your password.").max(200, "Password may have 200 characters at most."),
      confirmation: z.literal(ERASE_WORD, `Type ${ERASE_WORD} to confirm.`),
    }),
    output: z.object({ message: z.string() }),
  }),
  export: endpoint({
    method: "GET",
    path: "/users/me/export",
    stepUp: true,
    access: "user",
    limit: "export",
    summary:
      "Everything that is kept about you: a zip file of CSV files and a manifest with their hashes. One at a time.",
    input: z.strictObject({}),
    output: downloadOut,
    downloadType: "application/zip",
  }),
};
