import { expect, it } from "vitest";
import { stepUpRefusal } from "./step-up.ts";

const now = new Date("2026-11-20T15:00:00.000Z");
const ago = (ms: number) => new Date(now.getTime() - ms);

it("a confirmation holds five minutes, and what was never confirmed is refused", () => {
  expect(stepUpRefusal(ago(0), now)).toBeNull();
  expect(stepUpRefusal(ago(5 * 60_000), now)).toBeNull();
  expect(stepUpRefusal(ago(5 * 60_000 + 1), now)).toMatchObject({
    code: "step_up_required",
    message: "Confirm that it is you to continue.",
  });
  expect(stepUpRefusal(undefined, now)?.code).toBe("step_up_required");
});
