// The mail catcher: takes every mail of the product over SMTP, keeps it, and shows it on a page. Nothing is sent on.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { speakInLines } from "../lib/server/json-lines.mjs";
import { writeWhole } from "./whole-file.mjs";

speakInLines("mailbox");

const KEPT_MAX = 2_000;
const MAIL_BYTES_MAX = 5_000_000;
const { MAIL_DIR, MAIL_SMTP_PORT, MAIL_WEB_PORT, MAIL_HOST = "127.0.0.1" } = process.env;

fs.mkdirSync(MAIL_DIR, { recursive: true, mode: 0o700 });
const mails = fs
  .readdirSync(MAIL_DIR)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .flatMap(readMail);

/** One that cannot be read is named and left where it is: the others are still wanted. */
function readMail(name) {
  const file = path.join(MAIL_DIR, name);
  try {
    const mail = JSON.parse(fs.readFileSync(file, "utf8"));
    // The page and the links need these.
    if (`${mail?.id}.json` === name && Array.isArray(mail.to) && Array.isArray(mail.links)) return [mail];
    throw new Error("it holds no mail");
  } catch (error) {
    console.error(`${file} cannot be read and is not shown: ${error.message}`);
    return [];
  }
}

const addressOf = ({ name, address }) => (name ? `${name} <${address}>` : address);
/** What a reader can follow: the targets of the HTML's links, and the addresses in the text. */
const linksIn = (html, text) => {
  const targets = [...html.matchAll(/\shref="(https?:\/\/[^"]+)"/g)].map(([, link]) => link.replaceAll("&amp;", "&"));
  return [...new Set([...targets, ...(text.match(/https?:\/\/[^\s"'<>)\]]+/g) ?? [])])];
};

async function keep(raw, envelope) {
  const parsed = await PostalMime.parse(raw);
  const date = new Date().toISOString();
  const text = parsed.text ?? "";
  const html = parsed.html ?? "";
  const mail = {
    id: `${date.replace(/\D/g, "")}-${randomUUID().slice(0, 8)}`,
    from: parsed.from ? addressOf(parsed.from) : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    subject: parsed.subject ?? "",
    date,
    text,
    html,
    links: linksIn(html, text),
    unsubscribe: parsed.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? null,
  };
  writeWhole(path.join(MAIL_DIR, `${mail.id}.json`), JSON.stringify(mail));
  mails.push(mail);
  while (mails.length > KEPT_MAX) fs.rmSync(path.join(MAIL_DIR, `${mails.shift().id}.json`), { force: true });
  console.log(`${mail.subject} → ${mail.to.join(", ")}`);
}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  size: MAIL_BYTES_MAX,
  onAuth: (_auth, _session, done) => done(null, { user: "anyone" }),
  onData(stream, session, done) {
    const chunks = [];
    stream.on("data", (chunk) => chunks.push(chunk));
    stream.on("end", () => {
      if (stream.sizeExceeded) return done(Object.assign(new Error("The mail is too large."), { responseCode: 552 }));
      keep(Buffer.concat(chunks), session.envelope).then(() => done(), done);
    });
  },
});
smtp.on("error", (error) => fail("SMTP", error));

const escape = (text) =>
  text.replace(/[&<>"']/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[sign]);
const linked = (text) =>
  escape(text).replace(
    /https?:\/\/[^\s<>)\]]+?(?=&quot;|&#39;|&lt;|&gt;|[\s<>)\]]|$)/g,
    (link) => `<a href="${link}">${link}</a>`,
  );

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.25rem; } summary { cursor: pointer; padding: .6rem 0; } details { border-top: 1px solid #8884; }
summary small { opacity: .7; display: block; } iframe { box-sizing: border-box; width: 100%; height: 40rem; resize: vertical; border: 1px solid #8884; }
details details { border: 0; opacity: .9; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; } li { overflow-wrap: anywhere; }`;

function page() {
  const list = mails.toReversed().map((mail, index) => {
    const links = mail.links.map((link) => `<li><a href="${escape(link)}">${escape(link)}</a></li>`).join("");
    const part = (title, content, isOpen = false) =>
      content && `<details${isOpen ? " open" : ""}><summary>${title}</summary>${content}</details>`;
    const button = mail.unsubscribe && `<p>List-Unsubscribe: ${escape(mail.unsubscribe)}</p>`;
    const frame = `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="The mail" loading="lazy" src="/messages/${mail.id}.html"></iframe>`;
    return `<details${index === 0 ? " open" : ""}>
<summary><b>${escape(mail.subject || "(no subject)")}</b><small>to ${escape(mail.to.join(", "))} · ${escape(mail.date)}</small></summary>
${mail.html && frame}${part("As text", `<pre>${linked(mail.text)}</pre>`, !mail.html)}${part(`${mail.links.length} links`, links && `<ul>${links}</ul>${button ?? ""}`)}</details>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Mailbox (${mails.length})</title><style>${STYLE}</style>
<h1>Mailbox</h1><p>Every mail that this installation sends is kept here. Nothing leaves this machine.</p>
${list.join("\n") || "<p>No mail yet.</p>"}</html>`;
}

function answer(response, status, type, body) {
  const isMail = type === "mail";
  // A mail may run no script and load nothing; links open in a new tab.
  const policy = isMail
    ? "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    : "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'";
  response.writeHead(status, {
    "content-type": isMail ? "text/html; charset=utf-8" : type,
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
  response.end(body);
}

/** Another name in the Host header is one that a foreign page made its browser resolve to this machine. */
const HOSTS = new Set(["127.0.0.1", "localhost", "[::1]"]);
const isOurHost = (host = "") => HOSTS.has(host.replace(/:\d+$/, "").toLowerCase());

const web = http.createServer((request, response) => {
  if (!isOurHost(request.headers.host))
    return answer(response, 421, "text/plain", "Open the mailbox by the address 127.0.0.1 or localhost.");
  const { pathname } = new URL(request.url ?? "/", "http://mailbox");
  if (pathname === "/") return answer(response, 200, "text/html; charset=utf-8", page());
  if (pathname === "/messages.json") {
    return answer(response, 200, "application/json", JSON.stringify(mails.toReversed()));
  }
  const mail = mails.find(({ id }) => pathname === `/messages/${id}.html`);
  if (mail) return answer(response, 200, "mail", `<base target="_blank">${mail.html}`);
  return answer(response, 404, "text/plain", "Not found");
});
web.on("error", (error) => fail("web", error));

function fail(what, error) {
  console.error(`mailbox ${what}: ${error.message}`);
  process.exit(1);
}

process.stdout.on("error", () => {}); // the launcher is gone
smtp.listen(Number(MAIL_SMTP_PORT), MAIL_HOST, () =>
  web.listen(Number(MAIL_WEB_PORT), MAIL_HOST, () =>
    console.log(`mailbox ready at http://${MAIL_HOST}:${MAIL_WEB_PORT}`),
  ),
);
for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, () => {
    web.closeAllConnections();
    web.close();
    smtp.close(() => process.exit(0));
  });
}
