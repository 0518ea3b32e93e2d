import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { forgetEnv } from "../env.ts";
import { mailTransport } from "./transport.ts";

type Stage = "connect" | "auth" | "sender" | "recipient" | "content";

/** Where the server refuses a mail, and with which code. */
let refuses: { stage: Stage; code: number } | null = null;
const answerAt = (stage: Stage) =>
  refuses?.stage === stage ? Object.assign(new Error("no"), { responseCode: refuses.code }) : null;

let server: SMTPServer;
const before = process.env.SMTP_URL;
beforeEach(async () => {
  server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onConnect: (_session, done) => done(answerAt("connect")),
    onAuth: ({ username }, _session, done) => done(answerAt("auth"), { user: username }),
    onMailFrom: (_address, _session, done) => done(answerAt("sender")),
    onRcptTo: (_address, _session, done) => done(answerAt("recipient")),
    onData(stream, _session, done) {
      stream.resume();
      stream.on("end", () => done(answerAt("content")));
    },
  });
  // What it refuses is the test's own doing.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.env.SMTP_URL = `smtp://tradewind:secret@127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  forgetEnv();
});
afterEach(async () => {
  if (before === undefined) delete process.env.SMTP_URL;
  else process.env.SMTP_URL = before;
  forgetEnv();
  await new Promise<void>((resolve) => server.close(resolve));
});

async function send() {
  const transport = mailTransport();
  const mail = {
    messageId: "<1@tradewind.test>",
    to: "ada@example.com",
    subject: "Hello",
    html: "<p>Hi</p>",
    text: "Hi",
  };
  try {
    return await transport?.send({ ...mail, unsubscribeUrl: null });
  } finally {
    transport?.close();
  }
}

it("a mail that the server takes is sent", async () => {
  refuses = null;
  expect(await send()).toEqual({ kind: "sent" });
});

it.each<[Stage, number]>([
  ["recipient", 550],
  ["content", 554],
])("a final answer to the %s (%i) gives the mail up", async (stage, code) => {
  refuses = { stage, code };
  expect(await send()).toMatchObject({ kind: "refused", cause: expect.stringContaining(`${code}`) as string });
});

it.each<[Stage, number]>([
  ["auth", 535],
  ["auth", 534],
  ["connect", 554],
  ["sender", 530],
  ["sender", 550],
  ["recipient", 530],
  ["recipient", 450],
  ["content", 451],
])(
  "an answer to the %s (%i) that says nothing final about the mail leaves it to a later attempt",
  async (stage, code) => {
    refuses = { stage, code };
    expect(await send()).toMatchObject({ kind: "failed" });
  },
);
