import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { crashPoint } from "./crash-point.ts";
import { forgetEnv } from "./env.ts";

const kill = vi.spyOn(process, "kill").mockImplementation(() => true);
const before = { ...process.env };

function set(variables: Record<string, string>): void {
  process.env = {
    ...before,
    DATABASE_URL: "postgresql://localhost/x",
    NEXTAUTH_SECRET: "secret-of-the-test-".repeat(4),
    MASTER_KEYS: `1:${Buffer.from("master key of 32 bytes for tests").toString("base64")}`,
    AUDIT_KEY: "audit-key-of-the-crash-point-test",
    ...variables,
  } as NodeJS.ProcessEnv;
  forgetEnv();
}
beforeEach(() => kill.mockClear());
afterEach(() => {
  process.env = before;
  forgetEnv();
});

it("does nothing where CRASH_AT is not set", () => {
  set({ NODE_ENV: "test" });
  crashPoint("after-post");
  expect(kill).not.toHaveBeenCalled();
});

it("does nothing in production, whatever is set", () => {
  set({ NODE_ENV: "production", CRASH_AT: "after-post" });
  crashPoint("after-post");
  expect(kill).not.toHaveBeenCalled();
});

it("ends the process at the named point, at no other, and at the n-th passing only", () => {
  set({ NODE_ENV: "test", CRASH_AT: "after-mark:2" });
  crashPoint("after-post");
  crashPoint("after-mark");
  expect(kill).not.toHaveBeenCalled();
  crashPoint("after-mark");
  crashPoint("after-mark");
  expect(kill.mock.calls).toEqual([[process.pid, "SIGKILL"]]);
});
