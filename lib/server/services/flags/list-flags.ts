import type { Given } from "@/lib/contracts/endpoint.ts";
import type { flagsApi } from "@/lib/contracts/flags.ts";
import type { Context } from "../../context.ts";
import { flagView } from "./flag-view.ts";

/** Created by hand, one by one: a short list without pages. */
export const FLAGS_MAX = 500;

export async function listFlags({ db }: Context): Promise<Given<typeof flagsApi.list>> {
  const rows = await db.featureFlag.findMany({ orderBy: [{ createdAt: "asc" }, { name: "asc" }], take: FLAGS_MAX });
  return rows.map(flagView);
}
