/** npm run chaos: real worker processes, a real Postgres, the practice exchange, scripted faults and kills. */
import { fileURLToPath } from "node:url";
import { runCommandLine } from "@/lib/command.ts";
import { serveLane } from "@/lib/proof/chaos/lane.ts";
import { HELP, readOptions } from "@/lib/proof/chaos/options.ts";
import { runChaos } from "@/lib/proof/chaos/run-chaos.ts";

const program = fileURLToPath(import.meta.url);

if (process.argv[2] === "--lane") await serveLane(process.argv[3] ?? "");
else await runCommandLine(HELP, readOptions, (options) => runChaos(options, program));
