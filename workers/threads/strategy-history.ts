/** The program of a thread in which the histories of the strategies are made; the worker starts it. */
import { serveHistoriesThread } from "@/lib/server/services/backtests/serve-histories.ts";

await serveHistoriesThread();
