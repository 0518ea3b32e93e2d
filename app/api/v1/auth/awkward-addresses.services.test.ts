import type { AddressInfo } from "node:net";
import { domainToASCII } from "node:url";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { authApi } from "@/lib/contracts/auth.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { createLog } from "@/lib/server/log.ts";
import { register } from "@/lib/server/services/auth/register.ts";
import { sendDueMails } from "@/lib/server/services/mail/send-due-mails.ts";
import { callDoor } from "@/lib/proof/call-door.ts";

/** Without the limits: every address is tried here. */
const door = defineMethods(defineRoute(authApi.register, register));

/** Taken as they stand, or in lower case without the spaces around them. */
const PLAIN: [typed: string, box: string][] = [
  ["ada@example.com", "ada@example.com"],
  ["  Bob@Example.COM  ", "bob@example.com"],
  ["carol+tag@example.com", "carol+tag@example.com"],
  ["d.e.f@sub.domain.example.co", "d.e.f@sub.domain.example.co"],
  ["o'hara@example.com", "o'hara@example.com"],
  ["_under-score_@example.com", "_under-score_@example.com"],
  ["1234567890@example.com", "1234567890@example.com"],
  ["x@xn--bcher-kva.example", "x@xn--bcher-kva.example"],
  ["\tgrace@example.com\n", "grace@example.com"],
  ["\u00a0heidi@example.com\ufeff", "heidi@example.com"],
];

const AT_SIGNS = ["\uff20", "\ufe6b", "%40", " at ", "(at)", "&#64;", "\\@", "@@", "@\u200b", "\u200b@"];
const ENDS = ["\r\nbcc: eve@evil.example", "\nbcc:eve@evil.example", "\rx: y", "%0d%0abcc:eve@evil.example", "\u2028bcc:eve@evil.example",
  "\u0085x", ",eve@evil.example", ";eve@evil.example", " eve@evil.example", ", Eve <eve@evil.example>", "\0", "\0@evil.example", "\t.evil.example", "\\",
  "/../eve", "?cc=eve@evil.example", "#eve", ":25", "(eve)", "[1]", ">", "<eve@evil.example>", "'", "`", "|id", "$(id)", "&eve", "..", ".", "-", "_"]; // oxfmt-ignore
const LOCALS = ['"a b"', '"a@evil.example"', '"e\\"@evil.example"', '""', "a b", "a,b", "a;b", "a:b", "a<b", "a>b", "a(b)c", "a[b]", "a\\b", "a@b", ".a", "a.", "a..b",
  "a\u00e9", "\u0430da", "\u03b1", "ad\u0430", "\uff41da", "\u24d0", "\ud835\udc1ada", "\u212aate", "\u0131an", "\u017fam", "\ufb01n", "a\u0301", "a\u200db", "a\u00adb",
  "a\u202eb", "\u2066a\u2069", "a\ufeffb", "\ud83d\ude00", "a\tb", "a\nb", "a\rb", "a\u000bb", "a\u0001b", "a\u007fb", "=?utf-8?q?a?=", "=?utf-8?b?YQ==?= ", "mailto:a",
  "undisclosed-recipients:;", "group:a", "a!b", "a%b", "root", ""]; // oxfmt-ignore
const DOMAINS = ["example", "localhost", "127.0.0.1", "[127.0.0.1]", "[IPv6:::1]", "example..com", ".example.com", "example.com.", "-example.com", "exa_mple.com",
  "exa mple.com", "example.c", "example.123", "ex\u0430mple.com", "\uff45xample.com", "example\u3002com", "example\uff0ecom", "ex\u00e4mple.com", "example.com\u200b",
  "example.com@evil.example", "example.com%evil.example", "example.com!evil.example", "evil.example,example.com", "evil.example;example.com", "evil.example example.com",
  "example.com\r\nRCPT TO:<eve@evil.example>", "example.com>\r\nRCPT TO:<eve@evil.example", "example.com\0.evil.example", "*.example.com", "", "\u2100.example", "\u33c7.example",
  "example.\ud835\udc1aom", `${"a".repeat(64)}.com`, `${"a.".repeat(140)}com`]; // oxfmt-ignore

const AWKWARD = [
  ...AT_SIGNS.map((at) => `eve${at}evil.example`),
  ...ENDS.flatMap((end) => [`mallory@example.com${end}`, `eve@evil.example${end}mallory@example.com`]),
  ...LOCALS.map((local) => `${local}@example.com`),
  ...DOMAINS.map((domain) => `mallory@${domain}`),
  ...["Eve <eve@evil.example>", "<eve@evil.example>", "eve@evil.example, mallory@example.com", "eve@evil.example;mallory@example.com", "a@b.co c@d.co", "a@b.co\nc@d.co",
    "@", "@example.com", "eve@", "eve", "", " ", "\0", "eve@evil.example\0mallory@example.com", "to:eve@evil.example", "<script>@example.com", "' or 1=1 --@example.com",
    `${"a".repeat(250)}@example.com`, "a@@b.co", "a@b@c.co", "a@b.co@", "a@.co", "(comment)a@b.co", "a(comment)@b.co", "a@(comment)b.co", "\"\"@b.co", "a@b.co\u0000"], // oxfmt-ignore
];
const NO_TEXT: unknown[] = [
  null,
  1,
  true,
  {},
  [],
  ["a@b.co"],
  ["a@b.co", "c@d.co"],
  { address: "a@b.co" },
  { toString: "a@b.co" },
];

/** The mail catcher shows international domains in their own letters; on the wire they are as they were typed. */
const onTheWire = (address: string) => {
  const at = address.lastIndexOf("@");
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
};

const received: { to: string[]; raw: string }[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS", "AUTH"],
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const to = session.envelope.rcptTo.map(({ address }) => onTheWire(address));
      received.push({ to, raw: Buffer.concat(chunks).toString("utf8") });
      done();
    });
  },
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.env.SMTP_URL = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
});
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

let network = 0;
const enrol = async (email: unknown) => {
  network += 1;
  const answer = await callDoor(door, "POST", {
    body: { email, password: "Correct-Horse-1", firstName: "Ada", lastName: "Lovelace" },
    headers: { "x-forwarded-for": `10.0.${network >> 8}.${network & 255}` },
  });
  return answer.status;
};

it("of more than 200 awkward addresses none gets a mail that it was not meant to get, and no header slips into one", async () => {
  expect(AWKWARD.length + NO_TEXT.length + PLAIN.length).toBeGreaterThanOrEqual(200);
  for (const [typed] of PLAIN) expect({ typed, status: await enrol(typed) }).toEqual({ typed, status: 200 });
  for (const email of NO_TEXT) expect({ email, status: await enrol(email) }).toEqual({ email, status: 400 });
  const taken: string[] = [];
  for (const email of AWKWARD) {
    const status = await enrol(email);
    expect([200, 400, 409]).toContain(status);
    if (status === 200) taken.push(email);
  }
  // What is taken at all is an address of one plain box, as it was typed.
  for (const email of taken) expect(email).toMatch(/^[a-z0-9_'+.-]+@[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/);

  const boxes = new Set([...PLAIN.map(([, box]) => box), ...taken]);
  const context = {
    db: db(),
    now: () => new Date(Date.now() + 5_000),
    log: createLog("test", { write: () => undefined }),
  };
  let sent = 0;
  for (let round = await sendDueMails(context); round.sent > 0; round = await sendDueMails(context)) sent += round.sent;
  expect(sent).toBe(boxes.size);
  expect(new Set(received.flatMap(({ to }) => to))).toEqual(boxes);
  for (const { to, raw } of received) {
    expect(to).toHaveLength(1);
    const mail = await PostalMime.parse(raw);
    expect(mail.to?.map(({ address }) => onTheWire(address ?? ""))).toEqual(to);
    expect([mail.cc, mail.bcc].flatMap((list) => list ?? [])).toEqual([]);
    expect(mail.headers.map(({ key }) => key).filter((key) => /^(bcc|cc|x)$/.test(key))).toEqual([]);
    expect(mail.subject).toBe("Verify your email address");
  }
}, 60_000);
