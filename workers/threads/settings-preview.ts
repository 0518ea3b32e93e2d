/** The program of a thread in which settings are tried on the last sessions; the worker starts it. */
import { servePreviewThread } from "@/lib/server/services/backtests/serve-preview.ts";

await servePreviewThread();
