import type { ExchangeState } from "../book/state.ts";
import type { AuthorizeRequest } from "./authorize-request.ts";
import { accountsOf, type Environment, type Scope } from "./grants.ts";

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const html = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

const MEANINGS: Record<Scope, string> = {
  "account:write": "Write account configurations and watchlists",
  trading: "Place, cancel or modify orders",
  data: "Read the Data API",
};

const page = (content: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Authorize an application</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 3rem auto; padding: 0 1rem; }
label, fieldset { display: block; margin: 1rem 0; }
select { display: block; width: 100%; font: inherit; padding: 0.5rem; }
button { font: inherit; padding: 0.5rem 1.5rem; margin-right: 0.5rem; }
</style>
</head>
<body>
<main>
${content}
<p><small>A page of the paper exchange, in the place of Alpaca's. No real account is behind it.</small></p>
</main>
</body>
</html>
`;

export const stopPage = (sentence: string) => page(`<h1>Not authorized</h1><p>${html(sentence)}</p>`);

function chooser(state: ExchangeState, environment: Environment): string {
  const options = accountsOf(state, environment).map(
    ({ account: { id, accountNumber, name } }) =>
      `<option value="${html(id)}">${html(accountNumber)} (${html(name)})</option>`,
  );
  const label = environment === "live" ? "Live account" : "Paper account";
  return `<label>${label}<select name="${environment}_account" required>${options.join("")}</select></label>`;
}

/** Asks the person, and posts the answer with the application's own parameters. */
export function consentPage(state: ExchangeState, request: AuthorizeRequest, query: URLSearchParams): string {
  const { client, scopes, environments } = request;
  const hidden = [...query].map(([name, value]) => `<input type="hidden" name="${html(name)}" value="${html(value)}">`);
  const mayDo = ["Read your account, positions and orders", ...scopes.map((scope) => MEANINGS[scope])];
  return page(`<h1>${html(client.name)} asks for access to your account</h1>
<ul>${mayDo.map((line) => `<li>${line}</li>`).join("")}</ul>
<form method="post" action="/oauth/authorize">
${hidden.join("\n")}
${environments.map((environment) => chooser(state, environment)).join("\n")}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</form>`);
}
