/** npm run fuzz: bad requests over real HTTP against a running stack. */
import { runCommandLine } from "@/lib/command.ts";
import { fuzzStack } from "@/lib/proof/fuzz/fuzz-stack.ts";
import { HELP, readOptions } from "@/lib/proof/fuzz/options.ts";

await runCommandLine(HELP, readOptions, async (options) => ((await fuzzStack(options)) ? 0 : 1));
