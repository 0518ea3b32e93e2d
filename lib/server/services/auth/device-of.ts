/** Names in the order in which they are looked for: browsers claim to be others, and the last claim is the true one. */
const BROWSERS: [string, RegExp][] = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\b(OPR|Opera)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
];
const SYSTEMS: [string, RegExp][] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/**
 * "Chrome on Windows", from what a browser says of itself: without versions, so that an update is no new device.
 * What is no browser is named by its first letters, which make no address; null where nothing is said.
 */
export function deviceOf(userAgent: string | null): string | null {
  const said = userAgent?.trim() ?? "";
  if (said === "") return null;
  const nameIn = (names: [string, RegExp][]) => names.find(([, pattern]) => pattern.test(said))?.[0];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser === undefined) return system ?? /^[A-Za-z-]{1,30}/.exec(said)?.[0] ?? "An unknown program";
  return system === undefined ? browser : `${browser} on ${system}`;
}
