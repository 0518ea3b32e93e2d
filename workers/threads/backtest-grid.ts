/** The program of a thread in which a backtest is repeated with two settings varied; the worker starts it. */
import { serveGridThread } from "@/lib/server/services/backtests/serve-grid.ts";

await serveGridThread();
