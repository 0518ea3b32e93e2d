/** npm run model: the order protocol against everything at once. */
import { runCommandLine } from "@/lib/command.ts";
import { HELP, readOptions } from "@/lib/proof/model/options.ts";
import { playModel } from "@/lib/proof/model/play-model.ts";

await runCommandLine(HELP, readOptions, async (options) => ((await playModel(options)) ? 0 : 1));
