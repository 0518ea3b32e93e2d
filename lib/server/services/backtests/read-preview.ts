import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { preferencesPreviewApi } from "@/lib/contracts/preferences-preview.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { previewView } from "./preview-view.ts";

/** The caller's own try. Another user's, and one that the next has replaced, is not found. */
export async function readPreview(
  context: Context<"user">,
  { id }: Received<typeof preferencesPreviewApi.read>,
): Promise<Given<typeof preferencesPreviewApi.read>> {
  const row = await context.db.settingsPreview.findFirst({ where: { id, userId: context.actor.userId } });
  if (!row) throw new Failure("not_found", "Settings preview not found.");
  return previewView(context, row);
}
