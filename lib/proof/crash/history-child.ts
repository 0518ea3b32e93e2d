/**
 * A worker in a process of its own that loads the history of the US market and is ended as by a power cut: at the n-th answer
 * of the source, before what it brought is stored.
 */
import { addDays, newYork } from "@/lib/domain/time.ts";
import { loadBars } from "@/lib/server/services/cycles/load-bars.ts";
import { tradableAssets } from "@/lib/server/services/cycles/market-bars.ts";
import { systemContext } from "@/lib/server/system-context.ts";

const diesAt = Number(process.argv[2]);
const own = systemContext("history-child");
const data = own.marketData("US");
let answers = 0;
const context: typeof own = {
  ...own,
  marketData: () => ({
    ...data,
    dailyBars: async (...question) => {
      const found = await data.dailyBars(...question);
      answers += 1;
      if (answers === diesAt) process.kill(process.pid, "SIGKILL");
      return found;
    },
  }),
};
const { date } = newYork((await data.clock()).now);
const sessions = await data.calendar(addDays(date, -10), addDays(date, -1));
const symbols = (await tradableAssets(context, "US")).map(({ symbol }) => symbol);
await loadBars(context, { market: "US", symbols, through: sessions.at(-1)?.session ?? "" });
