import { ensureDatabase, migrate } from "@/scripts/databases.mjs";
import { ownPostgres } from "@/scripts/own-services.mjs";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import type { Handler } from "@/lib/server/http/route.ts";
import { makeUser } from "@/prisma/factories.ts";

/**
 * Whether the time of an answer tells who has an account: `npm run bench:enumeration`. Calls about known and unknown
 * addresses in turn, each from a network of its own, through the real handlers. Brings its own Postgres. BENCH_ROUNDS
 * is how many of each; the aim is a difference of the medians under 5 ms. Nothing fails on a busy machine.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 200);
const WARM_UP = 10;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
const person = { password: "Correct-Horse-1", firstName: "Grace", lastName: "Hopper" };

/** Counts of limits are forgotten, so that all calls go the whole way. */
function forgetLimits(): void {
  delete (globalThis as { tradewindLimits?: unknown }).tradewindLimits;
}

let network = 0;
async function timed(handler: Handler, body: object): Promise<{ ms: number; status: number }> {
  network += 1;
  const request = new Request("http://localhost/api/v1/door", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": `10.${(network >> 8) & 255}.${network & 255}.1`,
    },
    body: JSON.stringify(body),
  });
  const startedAt = performance.now();
  const response = await handler(request, { params: Promise.resolve({}) });
  return { ms: performance.now() - startedAt, status: response.status };
}

async function compare(name: string, handler: Handler, more: object, isVerified = true): Promise<void> {
  const known: number[] = [];
  const unknown: number[] = [];
  const statuses = new Map<string, number>();
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    forgetLimits();
    const { email } = await makeUser(db(), { isVerified });
    const pair = [
      { who: "known", into: known, email },
      { who: "unknown", into: unknown, email: `stranger-${name.replaceAll(" ", "-")}-${round + WARM_UP}@example.com` },
    ];
    for (const { who, into, email: asked } of round % 2 === 0 ? pair : pair.toReversed()) {
      const { ms, status } = await timed(handler, { ...more, email: asked });
      if (round >= 0) into.push(ms);
      statuses.set(`${who} ${status}`, (statuses.get(`${who} ${status}`) ?? 0) + 1);
    }
  }
  const [a, b] = [median(known), median(unknown)];
  console.log(
    `${name.padEnd(22)} known ${a.toFixed(2)} ms, unknown ${b.toFixed(2)} ms, difference ${Math.abs(a - b).toFixed(2)} ms ` +
      `(medians of ${ROUNDS}; ${[...statuses].map(([status, times]) => `${status}: ${times}`).join(", ")})`,
  );
}

async function bench(): Promise<void> {
  const postgres = await ownPostgres();
  try {
    const url = postgres.urlFor("enumeration");
    await ensureDatabase(url);
    await migrate({ migration: url, product: url });
    Object.assign(process.env, {
      DATABASE_URL: url,
      NEXTAUTH_SECRET: "bench-secret-".repeat(8),
      MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
      AUDIT_KEY: "bench-audit-key-".repeat(4),
      TRUSTED_PROXIES: "1",
      LOG_LEVEL: "error",
    });
    forgetEnv();
    const login = await import("@/app/api/v1/auth/login/route.ts");
    const register = await import("@/app/api/v1/auth/register/route.ts");
    const forgot = await import("@/app/api/v1/auth/forgot-password/route.ts");
    const resend = await import("@/app/api/v1/email/resend-verification/route.ts");
    await compare("sign-in", login.POST, { password: "Wrong-Horse-1" });
    // These wait most of their time: side by side they are no slower.
    await Promise.all([
      compare("forgotten password", forgot.POST, {}),
      compare("registration", register.POST, person),
      compare("another mail", resend.POST, {}, false),
    ]);
    await db().$disconnect();
  } finally {
    await postgres.remove();
  }
}

await bench();
process.exit();
