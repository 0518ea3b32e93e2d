import { commandFailure } from "@/lib/command.ts";
import { HELP, readOptions } from "./options.ts";
import { runCommand, type Surroundings } from "./run-command.ts";

/** The whole command: its exit code, 2 for options or a tape that it refuses, with one sentence per fault. */
export async function backtest(
  argv: readonly string[],
  { complain, ...surroundings }: Surroundings & { complain: (said: unknown) => void },
): Promise<number> {
  try {
    const options = readOptions(argv);
    if (options === null) surroundings.say(HELP);
    else await runCommand(options, surroundings);
    return 0;
  } catch (error) {
    const { said, code } = commandFailure(error);
    complain(said);
    return code;
  }
}
