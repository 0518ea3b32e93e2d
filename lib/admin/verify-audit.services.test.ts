import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { programArgs } from "@/lib/proof/bundled.ts";
import { writeAuditChain } from "@/lib/proof/fixtures/audit-chain.ts";
import { bypassingTriggers } from "@/lib/proof/fixtures/every-right.ts";

const verify = async () => {
  const args = [...(await programArgs("workers/cli/admin.ts")), "verify-audit"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", env: process.env });
  return { status, lines: stdout.trim().split("\n") };
};

it("the command tells a whole chain from a tampered one, in words and by how it ends", async () => {
  await writeAuditChain(12);
  expect(await verify()).toEqual({
    status: 0,
    lines: [
      "The audit chain is whole: 12 rows.",
      "No signed head was there to compare it with: that it was not rolled back is not proven.",
    ],
  });
  await bypassingTriggers((tx) => tx.$executeRaw`update "AuditEvent" set "ipAddress" = '198.51.100.1' where seq = 9`);
  expect(await verify()).toEqual({
    status: 1,
    lines: [
      "The audit chain is BROKEN. Row 9 is not as it was written, or stands in another row's place.",
      "Rows found right before it: 8.",
    ],
  });
});
