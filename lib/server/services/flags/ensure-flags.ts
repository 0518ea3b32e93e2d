import type { Context } from "../../context.ts";
import { env } from "../../env.ts";

/** Flags that the product acts on. They exist from the start, so that the console shows what can be switched. */
export const FLAGS = [
  {
    name: "automation_enabled",
    description: "Automation decides and submits. Off: exits and stops keep working, nothing new is entered.",
    enabled: true,
  },
  {
    name: "qa_live_gate",
    description: "While a critical QA rule fails or cannot be judged, the accounts concerned buy nothing.",
    enabled: false,
  },
  { name: "qa_history", description: "The QA History tab shows past results.", enabled: false },
  { name: "profile_editing", description: "Display name and bio can be saved in the settings.", enabled: false },
  { name: "ai_insights", description: "Daily brief and explanations in words.", enabled: true },
  { name: "practice_market", description: "New users may start on the practice market.", enabled: true },
] as const;

export type FlagName = (typeof FLAGS)[number]["name"];

export async function ensureFlags({ db }: Pick<Context, "db">): Promise<void> {
  await db.featureFlag.createMany({
    data: FLAGS.map((flag) => ({ ...flag, environment: env().FLAG_ENVIRONMENT })),
    skipDuplicates: true,
  });
}
