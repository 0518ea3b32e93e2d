import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { claimRun, type RunKind } from "../queue/claim-run.ts";

const CLAIMED = { omit: { result: true } } as const;

export type ClaimedPreview = Prisma.SettingsPreviewGetPayload<typeof CLAIMED>;

export const PREVIEWS: RunKind<ClaimedPreview, Prisma.SettingsPreviewUpdateManyMutationInput> = {
  table: "SettingsPreview",
  event: "settings-preview",
  noProgress: { sessionsDone: 0, sessionsTotal: null, readPercent: null },
  deadLetter: (times) => `The worker ended ${times} times while these settings were tried, so it is not started again.`,
  read: (db, id) => db.settingsPreview.findUnique({ where: { id }, ...CLAIMED }),
  update: (db, where, data) => db.settingsPreview.updateMany({ where, data }),
};

export const claimPreview = (context: Context) => claimRun(context, PREVIEWS);
