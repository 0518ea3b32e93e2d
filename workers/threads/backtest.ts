/** The program of a thread in which one backtest is figured; the worker starts it. */
import { serveBacktestThread } from "@/lib/server/services/backtests/serve-thread.ts";

await serveBacktestThread();
