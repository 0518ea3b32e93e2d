import type { Given } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import type { Context } from "../../context.ts";

export type QaView = Given<typeof selectorsApi.qaResults>["results"][number];

/** The rules' verdicts on selections, in the rules' names' order, by selection. */
export async function qaOfSelections(
  { db }: Pick<Context, "db">,
  selectionIds: readonly string[],
): Promise<Map<string, QaView[]>> {
  const rows = await db.qaResult.findMany({
    where: { selectionId: { in: [...selectionIds] } },
    orderBy: { ruleId: "asc" },
  });
  const found = new Map<string, QaView[]>(selectionIds.map((id) => [id, []]));
  for (const { selectionId, ruleId, status, severity, message, expected, actual, margin, at } of rows) {
    const passed = status === "PASS";
    found
      .get(selectionId ?? "")
      ?.push({ ruleId, passed, status, severity, message, expected, actual, margin, timestamp: at });
  }
  return found;
}
