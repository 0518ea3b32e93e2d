import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import type { Context } from "../../context.ts";
import { userView } from "./user-view.ts";

export async function readMe({ actor, db }: Context<"user">): Promise<Given<typeof authApi.me>> {
  return userView(await db.user.findUniqueOrThrow({ where: { id: actor.userId } }));
}
