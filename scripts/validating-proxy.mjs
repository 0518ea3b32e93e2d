// Prism of Stoplight as a validating proxy before a stack: each answer is held against the API's document by a reading of OpenAPI that is not ours.
// It is fetched for the proof alone: 180 packages that nothing else needs.
import fs from "node:fs";
import path from "node:path";
import { start, until } from "./proc.mjs";
import { readJson, state } from "./state.mjs";

const PRISM = "@stoplight/prism-cli@5.16.0";
const READY_S = 60;

/** Hands over the address of a proxy before the stack of a run file, and ends the proxy. */
export async function withValidator(work, runFile, use) {
  const folder = path.join(work, "prism");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n');
  const fetching = start("prism", "npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", PRISM], {
    cwd: folder,
    quiet: true,
  });
  if ((await fetching.done).code !== 0) throw new Error(`${PRISM} could not be fetched:\n${fetching.tail.join("\n")}`);

  const { url } = readJson(runFile);
  const document = await (await fetch(`${url}/api/v1/openapi.json`)).json();
  const described = path.join(folder, "openapi.json");
  // The proxy takes addresses as the product does.
  const paths = Object.fromEntries(Object.entries(document.paths).map(([at, methods]) => [`/api/v1${at}`, methods]));
  fs.writeFileSync(described, JSON.stringify({ ...document, servers: [{ url }], paths }));

  const port = await state(folder).port("prism");
  const args = ["node_modules/@stoplight/prism-cli/dist/index.js", "proxy", described, url];
  const proxy = start("prism", process.execPath, [...args, "--port", String(port), "--verboseLevel", "fatal"], {
    cwd: folder,
    quiet: true,
  });
  const address = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${address}/api/v1/health/live`).then(
      ({ status }) => status === 200,
      () => false,
    );
  try {
    await until(proxy, answers, READY_S, "The validating proxy");
    const result = await use(address);
    if (proxy.exited) throw new Error(`The validating proxy ended:\n${proxy.tail.slice(-12).join("\n")}`);
    return result;
  } finally {
    await proxy.stop();
  }
}
