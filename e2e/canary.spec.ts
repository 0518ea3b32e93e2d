/** What a running stack must never keep or show in clear: looked for in its whole database, its queue and its mails. */
import { randomBytes, randomUUID } from "node:crypto";
import { expect, type APIRequestContext } from "@playwright/test";
import { mailedLink, signIn } from "./people.ts";
import { run } from "./run.ts";
import { internal, mails, rowsOf, tablesWith, wholeRedis } from "./stores.ts";
import { test } from "./test.ts";

test("no password, token, key or secret lies open in the database, the queue or the mails", async ({
  request,
  page,
}) => {
  test.slow(); // every row of the database is read
  const answers: string[] = [];
  page.on("response", (response) => {
    void response.text().then(
      (text) => answers.push(text),
      () => undefined, // a redirect has no body
    );
  });
  const call = async (api: APIRequestContext, method: string, path: string, data?: object, token?: string) => {
    const answer = await api.fetch(`/api/v1${path}`, {
      method,
      ...(data ? { data } : {}),
      ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
    });
    answers.push(await answer.text());
    return { status: answer.status(), body: (await answer.json()) as { data: { id?: string; token?: string } | null } };
  };

  const email = `canary-${randomUUID()}@tradewind.example`;
  const password = `Canary-${randomBytes(12).toString("hex")}`;
  const laterPassword = `Later-7-${randomBytes(12).toString("hex")}`;
  const wrongSecret = randomBytes(20).toString("hex");
  const person = { email, password, firstName: "Carla", lastName: "Canary" };
  expect((await call(request, "POST", "/auth/register", person)).status).toBe(200);
  const link = await mailedLink(email, "/auth/verify-success");
  const mailed = new URLSearchParams(link.split("?")[1]).get("token") ?? "";
  expect((await call(request, "POST", "/auth/verify-email", { token: mailed })).status).toBe(200);

  await page.goto("/auth");
  await signIn(page, { email, password });
  await expect(page).toHaveURL(/\/dashboard$/);
  const first = (await call(request, "POST", "/auth/login", { email, password })).body.data?.token ?? "";
  const wrongKeys = { alpacaKey: `TP${randomBytes(9).toString("hex").toUpperCase()}`, alpacaSecret: wrongSecret };
  expect((await call(request, "POST", "/accounts", wrongKeys, first)).status).toBe(400);
  const account = (await call(request, "POST", "/accounts/practice", {}, first)).body.data?.id;
  const isRead = async () => {
    const sql = `select 1 as x from "Account" where id = $1 and "reconciledAt" is not null`;
    return (await rowsOf(internal().databaseUrl, sql, [account])).length;
  };
  await expect.poll(isRead, { message: "the worker has used the keys", timeout: 40_000 }).toBe(1);
  await page.goto("/alpaca-keys");
  await expect(page.getByRole("region", { name: "Alpaca Trading Accounts" }).getByRole("listitem")).toHaveCount(1);
  const change = { email, currentPassword: password, newPassword: laterPassword };
  const second = (await call(request, "PUT", "/auth/change-password", change, first)).body.data?.token ?? "";
  expect((await call(request, "POST", "/auth/logout", {}, second)).status).toBe(200);

  const { demo } = run();
  const { env, controlToken, databaseUrl, redisUrl, exchangeDatabaseUrl } = internal();
  const opened = await rowsOf<{ keyId: string; secret: string }>(
    exchangeDatabaseUrl,
    `select body ->> 'keyId' as "keyId", body ->> 'secret' as secret from exchange.accounts`,
  );
  expect(opened.length).toBeGreaterThan(0);
  const connections = [databaseUrl, redisUrl].flatMap((url) => (url ? new URL(url).password || [] : []));
  const masterKeys = env.MASTER_KEYS.split(",").map((entry) => entry.slice(entry.indexOf(":") + 1));
  const secrets = [
    ...[password, laterPassword, wrongSecret, demo.trader.password, demo.admin.password],
    ...[...env.NEXTAUTH_SECRET.split(","), env.AUDIT_KEY, controlToken, ...masterKeys, ...connections],
    ...opened.flatMap(({ keyId, secret }) => [keyId.slice(0, 9), secret]),
  ];
  const tokens = [first, second].map((token) => token.slice(token.indexOf(".") + 1));
  for (const text of [...secrets, ...tokens, mailed]) expect(text.length).toBeGreaterThan(8);

  /** Where a secret stands is named by its place in the list, never by itself. */
  const placesIn = (text: string, looked: string[]) =>
    looked.flatMap((secret, place) => (text.includes(secret) ? [place] : []));
  expect(await tablesWith([email])).not.toEqual([]);
  expect(await tablesWith([...secrets, ...tokens, mailed])).toEqual([]);
  expect(placesIn(await wholeRedis(), [...secrets, ...tokens, mailed])).toEqual([]);
  expect(placesIn(await mails(), [...secrets, ...tokens])).toEqual([]);
  expect(placesIn(answers.join("\n"), secrets)).toEqual([]);
});
