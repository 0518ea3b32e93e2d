import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { cruise, type ICruiseOptions, type IFlattenedRuleSet, type ICruiseResult } from "dependency-cruiser";
import extractTsConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { expect, test } from "vitest";
import walls, { FLOORS, TEST } from "../.dependency-cruiser.mjs";

const ROOMS = ["app", "lib", "workers", "emails"];

/** What the walls say of the fixture, a small house with the rooms of the real one. */
async function violations() {
  const { tsConfig, enhancedResolveOptions, ...options } = walls.options;
  const settings = {
    ...options,
    baseDir: path.resolve("scripts/fixtures/walls"),
    validate: true,
    ruleSet: { forbidden: walls.forbidden } as IFlattenedRuleSet,
  };
  const resolve = { ...enhancedResolveOptions, extensions: [".ts", ".tsx", ".mjs", ".js", ".json"] };
  const result = await cruise(ROOMS, settings as unknown as ICruiseOptions, resolve as never, {
    tsConfig: extractTsConfig(tsConfig.fileName),
  });
  return (result.output as ICruiseResult).summary.violations;
}

const SERVICES = "lib/server/services";

/** The other nouns that a noun's own code, without its tests, imports. */
function nounsImportedBy(noun: string): string[] {
  const files = readdirSync(path.join(SERVICES, noun), { recursive: true, encoding: "utf8" })
    .map((file) => path.posix.join(SERVICES, noun, file))
    .filter((file) => file.endsWith(".ts") && !new RegExp(TEST).test(file));
  const targets = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/from "([^"]+)"/g)].map(([, target = ""]) =>
      target.startsWith(".") ? path.posix.join(path.posix.dirname(file), target) : target.replace("@/", ""),
    ),
  );
  const others = targets.map((target) => new RegExp(`^${SERVICES}/([^/]+)/`).exec(target)?.[1]);
  return [...new Set(others.filter((other) => other !== undefined && other !== noun))] as string[];
}

/** Each wall, and the file of the fixture that climbs over it. */
const climbers: Record<string, string[]> = {
  "domain-alone": ["lib/domain/reads-a-file.ts"],
  "domain-tests-alone": ["lib/domain/reaches-up.test.ts"],
  "contracts-below": ["lib/contracts/reaches-up.ts"],
  "client-below": ["lib/client/reaches-up.ts"],
  "services-know-no-door": ["lib/server/core/answers-http.ts", "lib/server/services/answers-http.ts"],
  "adapters-know-no-service": ["lib/server/core/reaches-up.ts", "lib/server/mail/calls-a-service.ts"],
  "nouns-have-a-floor": ["lib/server/services/gossip/has-no-floor.ts"],
  "nouns-look-down-who": ["lib/server/services/auth/reads-orders.ts"],
  "nouns-look-down-ledger": ["lib/server/services/equity/reads-orders.ts"],
  "nouns-look-down-orders": ["lib/server/services/orders/reads-cycles.ts"],
  "nouns-look-down-sync": ["lib/server/services/sync/reads-cycles.ts"],
  "nouns-look-down-decide": ["lib/server/services/cycles/reads-automation.ts"],
  "nouns-look-down-guard": ["lib/server/services/automation/reads-trades.ts"],
  "exchange-knows-no-product": ["lib/exchange/reaches-over.ts"],
  "product-does-not-import-the-exchange": ["lib/server/broker/short-cut.ts"],
  "proofs-stay-outside": ["lib/server/mail/knows-its-proof.ts"],
  "commands-stay-outside": ["lib/server/mail/runs-a-command.ts"],
  "routes-are-thin": ["app/api/v1/trades/route.ts"],
  "jobs-are-thin": ["workers/thick-job.ts"],
  "screens-know-no-server": ["app/(trader)/logs/friend.ts", "app/(trader)/logs/logs-screen.tsx"],
  "pages-know-the-guard": ["app/(trader)/logs/page.tsx"],
  "prefetch-asks-routes": ["app/_prefetch/asks-a-service.ts"],
  "screens-know-no-other": ["app/(trader)/settings/settings-screen.tsx"],
  "parts-know-no-screen": ["app/_ui/knows-too-much.tsx"],
  "workers-know-no-screen": ["workers/cli/draws.ts"],
  "mails-are-templates": ["emails/reads-the-database.tsx"],
  "home-of-prisma": ["lib/server/secrets/own-prisma.ts"],
  "home-of-the-queue": ["lib/server/mail/own-queue.ts"],
  "home-of-alpaca": ["lib/server/providers/quotes.ts"],
  "home-of-models": ["lib/server/mail/own-words.ts"],
  "home-of-factors": ["lib/server/mail/own-codes.ts"],
  "home-of-traces": ["lib/server/mail/own-traces.ts"],
  "home-of-react": ["lib/server/mail/own-react.ts"],
  "no-circle": ["lib/server/circle-a.ts"],
  "nothing-missing": ["lib/server/lost.ts"],
  "no-tools-in-the-product": ["lib/server/mail/tool.ts"],
};

test("every wall has a climber, and every climber is caught by the wall it climbs and by no other", async () => {
  expect(Object.keys(climbers).sort()).toEqual(walls.forbidden.map((wall) => wall.name).sort());
  const caught: Record<string, string[]> = {};
  for (const { rule, from } of await violations()) (caught[rule.name] ??= []).push(from);
  const sorted = Object.entries(caught).map(([name, files]) => [name, [...new Set(files)].sort()]);
  expect(Object.fromEntries(sorted)).toEqual(climbers);
}, 120_000);

test("the command holds the whole house against these walls", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  expect(scripts.walls).toBe(`depcruise --config .dependency-cruiser.mjs ${ROOMS.join(" ")}`);
  const rooms = Object.values(climbers).flatMap((files) => files.map((file) => file.split("/")[0]));
  expect([...new Set(rooms)].sort()).toEqual([...ROOMS].sort());
});

test("no two service nouns import each other, and none stands on two floors", () => {
  const nouns = Object.values(FLOORS).flatMap((floor) => floor.split(" "));
  expect(nouns).toEqual([...new Set(nouns)]);
  const imports = new Set(nouns.flatMap((noun) => nounsImportedBy(noun).map((other) => `${noun} ${other}`)));
  expect(imports.size).toBeGreaterThan(40);
  const mutual = [...imports].filter((pair) => imports.has(pair.split(" ").reverse().join(" ")));
  expect(mutual).toEqual([]);
});
