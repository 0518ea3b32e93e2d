/** Runs before the first paint, or the page would flash. Follows the system until the user picks a theme (use-theme.ts), in any tab. */
const SCRIPT = `(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    let kept = null;
    try { kept = localStorage.getItem("theme"); } catch {}
    document.documentElement.classList.toggle("dark", kept === "dark" || (kept !== "light" && system.matches));
  };
  show();
  system.addEventListener("change", show);
  addEventListener("storage", show);
})()`;

/** The browser hides the nonce from scripts, so what it shows differs from what was sent. */
export function ThemeScript({ nonce }: { nonce: string }) {
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SCRIPT }} />;
}
