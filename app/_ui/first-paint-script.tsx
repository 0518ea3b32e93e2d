/**
 * Runs before the first paint. The theme: follows the system until the user picks one (use-theme.ts), in any tab, or the page would
 * flash. Amounts that this browser keeps hidden are hidden at once, and a signed-in page's document is not shown without a token.
 * The obsolete store of tokens is removed here too, on every page.
 */
const SCRIPT = `(() => {
  const { classList } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const show = () => classList.toggle("dark", kept("theme") === "dark" || (kept("theme") !== "light" && system.matches));
  show();
  system.addEventListener("change", show);
  addEventListener("storage", show);
  classList.toggle("lacks-token", kept("auth_token") === null);
  classList.toggle("begins-hidden", kept("amounts_hidden") === "true");
  try { localStorage.removeItem("auth_tokens"); } catch {}
})()`;

/** The browser hides the nonce from scripts, so what it shows differs from what was sent. */
export function FirstPaintScript({ nonce }: { nonce: string }) {
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}
