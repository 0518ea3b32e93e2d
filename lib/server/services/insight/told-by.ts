import type { Given } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import type { Sentence } from "@/lib/domain/insight/sentence-parts.ts";
import type { Context } from "../../context.ts";

/** What a text is about, and whose it is; null where it is no person's. */
export interface Subject {
  kind: "TRADE" | "DECISION" | "ROTATION";
  subject: string;
  userId: string | null;
}

type Told = NonNullable<Given<typeof insightApi.trade>["told"]>;

/** The sentences with who wrote them. */
export async function toldBy(_: Pick<Context, "db">, _about: Subject, sentences: Sentence[]): Promise<Told> {
  return { sentences, writer: "TRADEWIND", model: null };
}
