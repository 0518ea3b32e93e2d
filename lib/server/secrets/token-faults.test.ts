/** Named faults of expiry: docs/faults.md. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { mayPost } from "@/lib/domain/protocol/mark.ts";
import { newClaims, readToken, SIGN_IN_MS, writeToken } from "./token.ts";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";

beforeAll(useLeastEnv);

it("a sign-in and an order's deadline hold up to their last millisecond and not at it, whenever they began (T5)", () => {
  const begin = fc.date({ min: new Date("2024-01-01"), max: new Date("2034-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(begin, fc.integer({ min: -3, max: 3 }), (at, offMs) => {
      const claims = newClaims({ userId: randomUUID(), jti: randomUUID(), tokenVersion: 0, at });
      const endMs = Math.floor(at.getTime() / 1000) * 1000 + SIGN_IN_MS;
      const read = readToken(writeToken(claims), new Date(endMs + offMs));
      expect(read !== null).toBe(offMs < 0);
      expect(mayPost(endMs + offMs, endMs)).toBe(offMs < 0);
    }),
    { numRuns: 2_000 },
  );
});
