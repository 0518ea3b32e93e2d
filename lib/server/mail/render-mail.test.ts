import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { forgetEnv } from "../env.ts";
import type { ActivityItem, MailProps, MailTemplate, WeekFigures } from "./mail-props.ts";
import { renderMail } from "./render-mail.ts";
import { readUnsubscribeToken } from "./unsubscribe-token.ts";
import { TOGGLES, wantedKinds } from "./wanted-mails.ts";

const BASE = "https://trade.example";

beforeAll(() => {
  Object.assign(process.env, {
    DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
    NEXTAUTH_SECRET: "0123456789abcdef".repeat(4),
    MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
    AUDIT_KEY: "audit-key-of-a-test-".repeat(2),
    APP_BASE_URL: BASE,
    TRUSTED_PROXIES: "1",
    SUPPORT_EMAIL: "support@trade.example",
    MAIL_FROM: "Tradewind <no-reply@trade.example>",
  });
  forgetEnv();
});

/** Names of users and accounts that could break a mail. */
const AWKWARD = `<img src=x onerror="alert(1)"> & 'Ünïcode' "${"long".repeat(60)}" \u202Ertl </title><script>alert(1)</script>`;
const orderId = randomUUID();
const userId = randomUUID();

const sent: ActivityItem = {
  what: "SENT",
  at: "2020-02-03T15:05:00.000Z",
  orderId,
  symbol: "BRK.B",
  side: "BUY",
  qty: "10",
  filledQty: "0",
  reason: AWKWARD,
  brokerMessage: null,
};
const bought: ActivityItem = {
  what: "FILLED",
  at: "2020-02-03T15:05:00.000Z",
  orderId,
  symbol: "BRK.B",
  side: "BUY",
  qty: "10",
  price: "323.45",
  realizedPnl: null,
  reason: "Momentum entry",
};
const sold: ActivityItem = { ...bought, side: "SELL", realizedPnl: "-0.004" };

const block: WeekFigures = {
  environment: "PAPER",
  accounts: [AWKWARD],
  from: "2026-11-14T05:00:00.000Z",
  to: "2026-11-21T05:00:00.000Z",
  equityStart: null,
  equityEnd: "-1234567.895",
  netDeposits: "0",
  pnl: "0",
  realizedPnl: "-0.001",
  trades: 0,
  volume: "0",
  wins: 0,
  losses: 0,
  scratches: 0,
  best: null,
  worst: null,
  exits: [{ reason: AWKWARD, count: 1, pnl: "-12.5" }],
  halts: [{ at: "2026-11-17T15:00:00.000Z", account: AWKWARD, reason: AWKWARD }],
};

const MAILS: { [T in MailTemplate]: MailProps<T> } = {
  "verify-email": { emailTokenId: randomUUID() },
  "reset-password": { firstName: AWKWARD, emailTokenId: randomUUID(), validFor: "30 minutes" },
  "password-changed": { firstName: AWKWARD, changedAt: "2026-11-21T12:00:00.000Z" },
  "account-erased": { firstName: AWKWARD, erasedAt: "2026-11-21T12:00:00.000Z" },
  "new-sign-in": { firstName: AWKWARD, device: AWKWARD, ipAddress: AWKWARD, signedInAt: "2026-11-21T12:00:00.000Z" },
  "wrong-password": { firstName: AWKWARD, device: AWKWARD, ipAddress: AWKWARD, failedAt: "2026-11-21T12:00:00.000Z" },
  activity: {
    firstName: AWKWARD,
    accountId: randomUUID(),
    account: { title: AWKWARD, environment: "LIVE" },
    items: [sent, bought, { ...sent, what: "REJECTED", qty: null, orderId: null, brokerMessage: AWKWARD }],
  },
  "weekly-summary": { firstName: AWKWARD, weekEnd: "2026-11-21", blocks: [block] },
  "system-alert": {
    firstName: AWKWARD,
    subject: "Something happened",
    paragraphs: [AWKWARD],
    account: { title: AWKWARD, environment: "PRACTICE" },
    link: { label: "Open the logs", path: "/logs" },
  },
};
const TEMPLATES = Object.keys(MAILS) as MailTemplate[];
const everything = { userId, wants: wantedKinds(null) };

/** The accent of the product's light or dark pages. */
const accentOf = (theme: ":root" | ".dark") =>
  new RegExp(`^\\${theme} \\{[^}]*--accent: (#[0-9a-f]{6});`, "m").exec(readFileSync("app/globals.css", "utf8"))?.[1] ??
  "";

async function mailOf(template: MailTemplate, props: unknown = MAILS[template]) {
  const mail = await renderMail(template, props, everything);
  if (mail === null) throw new Error("the reader does not want the mail");
  return mail;
}

it.each(TEMPLATES.filter((template) => template !== "verify-email"))(
  "%s shows awkward words as words, in HTML and in text",
  async (template) => {
    const { html, text } = await mailOf(template);
    expect(html).not.toMatch(/<script|<img|onerror="/i);
    expect(html).toContain("&lt;img src=x onerror=");
    expect(text).toContain("<img src=x onerror=");
    expect(text).toContain("'Ünïcode'");
    expect(text).not.toMatch(/<\/?(p|td|table|div|span)\b/);
  },
);

it("mails to an unconfirmed address hold no word of the person who entered it", async () => {
  const verification = await mailOf("verify-email", { firstName: AWKWARD, emailTokenId: randomUUID() });
  const reset = await mailOf("reset-password", { firstName: null, emailTokenId: randomUUID(), validFor: "24 hours" });
  for (const { html, text, subject } of [verification, reset])
    expect(html + text + subject).not.toMatch(/onerror|nïcode|null|undefined/);
  expect(reset.text).toContain("once, within 24 hours of the request");
});

describe.each(TEMPLATES)("%s", (template) => {
  it("loads nothing from anywhere: no image, font, style sheet, frame or form", async () => {
    const { html } = await mailOf(template);
    expect(html).not.toMatch(/<(img|iframe|form|video|audio|object|embed|base)\b|@import|url\(|background=/i);
    // The one link element that React may add preloads nothing here.
    expect(html).not.toMatch(/<link\b/i);
  });

  it("links into the product at APP_BASE_URL alone", async () => {
    const { html } = await mailOf(template);
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
    expect(links.filter((href) => href.startsWith(`${BASE}/`)).length).toBeGreaterThan(0);
    expect(links.filter((href) => !href.startsWith(`${BASE}/`) && href !== "mailto:support@trade.example")).toEqual([]);
  });

  it("is readable on a dark page: says so, and fixes no background behind its words", async () => {
    const { html } = await mailOf(template);
    expect(html).toContain('name="color-scheme" content="light dark"');
    const body = html.slice(html.indexOf("<body"));
    const backgrounds = [...body.matchAll(/background(?:-color)?:\s*([^;"]+)/g)].map(([, colour = ""]) =>
      colour.trim(),
    );
    expect(backgrounds.filter((colour) => ![accentOf(":root"), "#b45309"].includes(colour))).toEqual([]);
  });

  it("has the product's own accent on buttons and links, and that of its dark pages on a dark page", async () => {
    const { html } = await mailOf(template);
    const [light, dark] = [accentOf(":root"), accentOf(".dark")];
    expect(html).toContain(`.link { color: ${light}; }`);
    expect(html).toContain(`.link { color: ${dark} !important; }`);
    const ofLinks = [...html.matchAll(/<a [^>]*style="([^"]*)"/g)].map(([, style = ""]) => style);
    expect(ofLinks.length).toBeGreaterThan(0);
    expect(ofLinks.filter((style) => !style.includes(light))).toEqual([]);
  });

  it("begins the sentence after the greeting with a capital letter, and dates nothing as a machine does", async () => {
    const paragraphs = (await mailOf(template)).text.replaceAll(/https?:\S+/g, "").split(/\n{2,}/);
    const greeting = paragraphs.findIndex((paragraph) => paragraph.startsWith("Hello"));
    expect(greeting).toBeGreaterThan(-1);
    expect(paragraphs[greeting + 1]).toMatch(/^[^\sa-z]/);
    expect(paragraphs.join("\n")).not.toMatch(/\d{4}-\d\d-\d\d|undefined|NaN|\b1 (trades|orders|shares|round trips)\b/);
  });

  it("refuses props that are not its own", async () => {
    await expect(renderMail(template, { ...MAILS[template], extra: 1 })).rejects.toThrow();
  });
});

it("the subject is one line", async () => {
  for (const template of TEMPLATES) expect((await mailOf(template)).subject).toMatch(/^[^\r\n]{1,200}$/);
});

describe("the mails that can be switched off", () => {
  const BOUND = { activity: "activity", "weekly-summary": "weekly", "system-alert": "alerts" } as const;

  it.each(TEMPLATES)("%s says how, or always goes", async (template) => {
    const { html, text, unsubscribeUrl } = await mailOf(template);
    const kind = template in BOUND ? BOUND[template as keyof typeof BOUND] : null;
    if (kind === null) {
      expect(unsubscribeUrl).toBeNull();
      expect(html + text).not.toContain("unsubscribe");
      return;
    }
    const token = new URL(unsubscribeUrl ?? "").searchParams.get("token") ?? "";
    expect(unsubscribeUrl).toMatch(`${BASE}/api/v1/notifications/unsubscribe/one-click?token=`);
    expect(readUnsubscribeToken(token)).toEqual({ kind, userId });
    const named = [...text.matchAll(/\/unsubscribe\?token=(\S+)/g)].map(([, one = ""]) => readUnsubscribeToken(one));
    expect(named).toEqual((kind === "activity" ? ["orders", "trades"] : [kind]).map((one) => ({ kind: one, userId })));
    expect(text).toContain(`${BASE}/settings`);
  });

  const ALL_ON = {
    emailNotifications: true,
    orderNotifications: true,
    tradeNotifications: true,
    weeklySummary: true,
    systemAlerts: true,
  };
  type Toggle = keyof typeof ALL_ON;
  /** Which mails go when this one toggle is off. "activity" goes while one of its two parts is wanted. */
  const GOES_WITHOUT: Record<Toggle, MailTemplate[]> = {
    emailNotifications: [],
    orderNotifications: ["activity", "weekly-summary", "system-alert"],
    tradeNotifications: ["activity", "weekly-summary", "system-alert"],
    weeklySummary: ["activity", "system-alert"],
    systemAlerts: ["activity", "weekly-summary"],
  };
  const SECURITY = TEMPLATES.filter((template) => !(template in BOUND));

  it.each(Object.keys(ALL_ON) as Toggle[])("with %s off go those that it is not for", async (toggle) => {
    const reader = { userId, wants: wantedKinds({ ...ALL_ON, [toggle]: false }) };
    const gone: MailTemplate[] = [];
    for (const template of TEMPLATES)
      if ((await renderMail(template, MAILS[template], reader)) !== null) gone.push(template);
    expect(gone.sort()).toEqual([...SECURITY, ...GOES_WITHOUT[toggle]].sort());
  });

  it("a mail about orders and trades holds the part that is wanted, and its button is about that part", async () => {
    const without = (toggle: Toggle) => ({ userId, wants: wantedKinds({ ...ALL_ON, [toggle]: false }) });
    const noOrders = await renderMail("activity", MAILS.activity, without("orderNotifications"));
    expect(noOrders?.text).toContain("Bought 10 BRK.B");
    expect(noOrders?.text).not.toContain("Buy 10 BRK.B");
    expect(noOrders?.unsubscribeUrl).toContain("token=trades.");
    const noTrades = await renderMail("activity", MAILS.activity, without("tradeNotifications"));
    expect(noTrades?.text).not.toContain("Bought 10 BRK.B");
    expect(noTrades?.text).toContain("Buy 10 BRK.B");
    expect(noTrades?.unsubscribeUrl).toContain("token=orders.");
    const neither = { userId, wants: wantedKinds({ ...ALL_ON, orderNotifications: false, tradeNotifications: false }) };
    expect(await renderMail("activity", MAILS.activity, neither)).toBeNull();
  });

  it("the toggle for all mails is about mails: in the pages each kind has its own", () => {
    const off = { ...ALL_ON, emailNotifications: false };
    expect([...wantedKinds(off)]).toEqual([]);
    expect([...wantedKinds(off, "pages")]).toEqual(["orders", "trades", "weekly", "alerts"]);
    expect([...wantedKinds({ ...off, tradeNotifications: false }, "pages")]).toEqual(["orders", "weekly", "alerts"]);
    expect(Object.keys(TOGGLES)).toEqual(["orders", "trades", "activity", "weekly", "alerts"]);
  });
});

describe("figures", () => {
  const activity = (...items: ActivityItem[]) => mailOf("activity", { ...MAILS.activity, items });

  it("a single trade is the subject, with the label of its environment", async () => {
    expect((await activity(bought)).subject).toBe("LIVE: Bought 10 BRK.B");
    expect((await activity({ ...sent, what: "REJECTED" })).subject).toBe("LIVE: Rejected: Buy 10 BRK.B");
    expect((await activity(bought, sent)).subject).toBe("LIVE: 1 trade and 1 order event");
  });

  it("an order that filled in parts is one trade with the exact sum and the average price", async () => {
    const { text } = await activity(
      { ...bought, qty: "3", price: "100.01" },
      { ...bought, qty: "4", price: "100.02" },
      { ...bought, qty: "3.5", price: "0.0001" },
    );
    expect(text).toContain("Bought 10.5 BRK.B");
    // 3 × 100.01 + 4 × 100.02 + 3.5 × 0.0001 = 700.11035
    expect(text).toContain("$700.11");
    expect(text).toContain("on average $66.677176");
  });

  it("a sale shows what it made; a loss of less than half a cent is $0.00 and no loss", async () => {
    const { text, html } = await activity(sold);
    expect(text).toContain("$0.00 realized");
    expect(html).not.toContain('class="loss"');
    const lost = await activity({ ...sold, realizedPnl: "-1234.5" });
    expect(lost.text).toContain("-$1,234.50 realized");
    expect(lost.html).toContain('class="loss"');
  });

  it("a week shows zero and negative figures as what they are", async () => {
    const { text } = await mailOf("weekly-summary");
    expect(text).toContain("Equity at the end\n-$1,234,567.90");
    expect(text).toContain("Profit and loss\n$0.00");
    expect(text).toContain("Equity at the start\nopened this week");
    expect(text).toContain("-$12.50");
  });

  it("what is no decimal is no mail", async () => {
    for (const qty of ["NaN", "1e5", "", "Infinity"])
      await expect(renderMail("activity", { ...MAILS.activity, items: [{ ...bought, qty }] })).rejects.toThrow();
  });

  it("a path that leaves the product is no mail", async () => {
    for (const path of ["//evil.example", "/\\evil.example", "https://evil.example", ""])
      await expect(
        renderMail("system-alert", { ...MAILS["system-alert"], link: { label: "x", path } }),
      ).rejects.toThrow();
  });
});

describe("an unsubscribe token", () => {
  const tokenIn = async () =>
    new URL((await mailOf("weekly-summary")).unsubscribeUrl ?? "").searchParams.get("token") ?? "";

  it("opens nothing once a letter of it is another, in the kind, the person or the signature", async () => {
    const token = await tokenIn();
    expect(readUnsubscribeToken(token)).toEqual({ kind: "weekly", userId });
    expect(readUnsubscribeToken(token.replace("weekly", "alerts"))).toBeNull();
    expect(readUnsubscribeToken(token.replace(userId, randomUUID()))).toBeNull();
    expect(readUnsubscribeToken(`${token}x`)).toBeNull();
    expect(readUnsubscribeToken(`${token}.x`)).toBeNull();
    expect(readUnsubscribeToken(token.slice(0, -1))).toBeNull();
    expect(readUnsubscribeToken("")).toBeNull();
    expect(readUnsubscribeToken("constructor.a.b")).toBeNull();
  });

  it("outlives a new secret while the old one is still in the list, and not longer", async () => {
    const token = await tokenIn();
    const old = process.env.NEXTAUTH_SECRET ?? "";
    const renewed = "fedcba9876543210".repeat(4);
    try {
      process.env.NEXTAUTH_SECRET = `${renewed},${old}`;
      forgetEnv();
      expect(readUnsubscribeToken(token)).toEqual({ kind: "weekly", userId });
      process.env.NEXTAUTH_SECRET = renewed;
      forgetEnv();
      expect(readUnsubscribeToken(token)).toBeNull();
    } finally {
      process.env.NEXTAUTH_SECRET = old;
      forgetEnv();
    }
  });
});

it.each(["new-sign-in", "wrong-password"] as const)("%s leads to where the password is changed", async (template) => {
  const { html, text } = await mailOf(template);
  expect(html).toContain(`href="${BASE}/settings?tab=security"`);
  expect(text).toContain(`${BASE}/settings?tab=security`);
});
