import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { createTransport } from "nodemailer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { state } from "./state.mjs";

let dir: string;
let running: Awaited<ReturnType<typeof startMailbox>>;

async function startMailbox() {
  const st = state(dir);
  const [smtpPort, webPort] = [await st.port("smtp"), await st.port("web")];
  const child = spawn(process.execPath, ["scripts/mailbox.mjs"], {
    env: {
      ...process.env,
      MAIL_DIR: path.join(dir, "mail"),
      MAIL_SMTP_PORT: `${smtpPort}`,
      MAIL_WEB_PORT: `${webPort}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => (complaints += chunk.toString()));
  await Promise.race([
    once(child.stdout, "data"), // "mailbox ready"
    once(child, "close").then(() => Promise.reject(new Error(`The mailbox ended: ${complaints}`))),
  ]);
  const stop = async () => {
    child.kill("SIGTERM");
    await once(child, "close");
  };
  return {
    url: `http://127.0.0.1:${webPort}`,
    smtp: `smtp://127.0.0.1:${smtpPort}`,
    stop,
    complaints: () => complaints,
  };
}

beforeEach(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), "tradewind-mail-"));
  running = await startMailbox();
});
afterEach(async () => {
  await running.stop();
  rmSync(dir, { recursive: true });
});

const send = async (subject: string) => {
  const transport = createTransport(running.smtp);
  await transport.sendMail({
    from: "Tradewind <no-reply@tradewind.example>",
    to: "ann@example.test",
    subject,
    text: "Open https://tradewind.example/verify?token=a&user=b now.",
    html: '<p><a href="https://tradewind.example/verify?token=a&amp;user=b">Verify</a></p><script>alert(1)</script>',
  });
  transport.close();
};
const messages = async () =>
  (await (await fetch(`${running.url}/messages.json`)).json()) as { id: string; subject: string }[];

test("a mail is listed with its parts and its links, the newest first", async () => {
  await send("First");
  await send("Second <b>");
  const listed = await messages();
  expect(listed.map((mail) => mail.subject)).toEqual(["Second <b>", "First"]);
  expect(listed[0]).toMatchObject({
    from: "Tradewind <no-reply@tradewind.example>",
    to: ["ann@example.test"],
    text: expect.stringContaining("token=a&user=b now."),
    links: ["https://tradewind.example/verify?token=a&user=b"],
  });
});

test("the page shows a mail's words as text, and its HTML in a frame that runs no script", async () => {
  await send("Second <b>");
  const page = await (await fetch(running.url)).text();
  expect(page).toContain("Second &lt;b&gt;");
  expect(page).toContain('<a href="https://tradewind.example/verify?token=a&amp;user=b">');
  const frame = await fetch(`${running.url}/messages/${(await messages())[0]?.id}.html`);
  const policy = frame.headers.get("content-security-policy");
  expect(policy).toContain("sandbox allow-popups");
  expect(policy).not.toContain("allow-scripts");
});

test("mails are still there after a restart", async () => {
  await send("Kept");
  await running.stop();
  running = await startMailbox();
  expect((await messages()).map((mail) => mail.subject)).toEqual(["Kept"]);
});

test("a mail whose file was torn is named and left alone, and does not keep the others from being shown", async () => {
  await send("Kept");
  await running.stop();
  const contents = { empty: "", torn: '{"id":"torn","fr', other: "null", partial: '{"id":"partial"}' };
  const fileOf = (name: string) => path.join(dir, "mail", `${name}.json`);
  for (const [name, content] of Object.entries(contents)) writeFileSync(fileOf(name), content);
  running = await startMailbox();
  expect((await messages()).map((mail) => mail.subject)).toEqual(["Kept"]);
  expect(await (await fetch(running.url)).text()).toContain("Kept");
  for (const name of Object.keys(contents)) {
    expect(running.complaints()).toContain(`${name}.json cannot be read`);
    expect(existsSync(fileOf(name))).toBe(true);
  }
});

test("a page of another name gets nothing from the mailbox, whatever its browser was made to resolve to", async () => {
  await send("Reset your password");
  const ask = (host: string, address: string) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      http
        .get(`${running.url}${address}`, { headers: { host } }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
        })
        .on("error", reject);
    });
  const { port } = new URL(running.url);
  for (const address of ["/", "/messages.json"]) {
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example"])
      expect(await ask(host, address)).toEqual({
        status: 421,
        text: "Open the mailbox by the address 127.0.0.1 or localhost.",
      });
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, "LOCALHOST"])
      expect((await ask(host, address)).text).toContain("Reset your password");
  }
});
