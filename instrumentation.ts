/** Runs once when the web process starts: its metrics listen on a port of their own, and traces go to their collector. */
export async function register(): Promise<void> {
  // Replaced by its text when the code is built.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [{ env }, { serveMetrics }, { startTracing }] = await Promise.all([
    import("@/lib/server/env.ts"),
    import("@/lib/server/serve-metrics.ts"),
    import("@/lib/server/export-traces.ts"),
  ]);
  const { WEB_METRICS_PORT, METRICS_HOST } = env();
  await startTracing("web");
  if (WEB_METRICS_PORT !== undefined) await serveMetrics({ host: METRICS_HOST, port: WEB_METRICS_PORT });
}
