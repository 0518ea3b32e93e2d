import { expect, it } from "vitest";
import type { authApi } from "@/lib/contracts/auth.ts";
import type { Context } from "../context.ts";
import { failInUniformTime, inUniformTime } from "./uniform-time.ts";

const context = {} as Context;
const input = { email: "ada@example.com" };

it.each<[string, () => Promise<{ message: string }>]>([
  ["a service that answers", async () => ({ message: "done" })],
  ["a service that fails", () => Promise.reject(new Error("done"))],
])("%s at once is heard only when the pause is over", async (_, service) => {
  let isWorked = false;
  let isHeard = false;
  let finish: () => void = () => undefined;
  const pause = new Promise<void>((resolve) => (finish = resolve));
  const slow = inUniformTime<typeof authApi.resendVerification>(
    () => service().finally(() => (isWorked = true)),
    () => pause,
  );
  const answer = slow(context, input)
    .catch((error: Error) => error)
    .finally(() => (isHeard = true));
  await expect.poll(() => isWorked).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isHeard).toBe(false);
  finish();
  expect(await answer).toMatchObject({ message: "done" });
});

it("where only failures would tell, what goes well is heard at once and what fails when the pause is over", async () => {
  let finish: () => void = () => undefined;
  const pause = new Promise<void>((resolve) => (finish = resolve));
  const wrapped = (service: () => Promise<{ message: string }>) =>
    failInUniformTime<typeof authApi.resendVerification>(service, () => pause)(context, input);
  expect(await wrapped(async () => ({ message: "done" }))).toEqual({ message: "done" });
  let isHeard = false;
  const failure = wrapped(() => Promise.reject(new Error("no"))).catch((error: Error) => {
    isHeard = true;
    return error.message;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isHeard).toBe(false);
  finish();
  expect(await failure).toBe("no");
});
