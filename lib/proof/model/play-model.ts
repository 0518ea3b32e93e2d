/** Plays what the command asks for: the protocol itself, its mutants, or one sequence again. */
import { randomInt } from "node:crypto";
import { MUTANTS, type Mutant } from "./mutants.ts";
import type { ModelOptions } from "./options.ts";
import { runSourceMutants } from "./run-source-mutants.ts";
import { SOURCE_MUTANTS } from "./source-mutants.ts";
import { search, shorten, worldOf, type Finding } from "./search.ts";

const SEQUENCES = 1_000_000;
const SEQUENCES_OF_A_MUTANT = 300_000;

const say = (line: string) => console.log(line);
const count = (value: number) => value.toLocaleString("en-US");

function showFinding({ seed, events, violation, trace }: Omit<Finding, "sequences">): void {
  say(`BROKEN: ${violation}`);
  say(`sequence ${seed}, in its shortest form of ${events} events:`);
  for (const line of trace) say(`  ${line}`);
}

/** Plays the protocol itself; true when everything held. */
function playProtocol(sequences: number, seed: number): boolean {
  const world = worldOf();
  const startedAt = performance.now();
  const finding = search(world, { sequences, seed }, (played) => say(`  ${count(played)} sequences`));
  const seconds = (performance.now() - startedAt) / 1_000;
  if (finding) {
    showFinding(finding);
    say(`found after ${count(finding.sequences)} sequences; npm run model -- --replay ${finding.seed} plays it again`);
    return false;
  }
  const { reached, requests, crashes } = world;
  const states = Object.entries(reached).map(([status, times]) => `${status} ${count(times)}`);
  say(
    `${count(sequences)} sequences held in ${seconds.toFixed(1)} s (${count(Math.round(sequences / seconds))} a second)`,
  );
  say(
    `requests ${count(requests)}, crashes in the middle of work ${count(crashes)}, intents that became: ${states.join(", ")}`,
  );
  return true;
}

/** Plays a mutant; true when it was found out. */
function playMutant({ name, says, change }: Mutant, sequences: number, seed: number, isOnly: boolean): boolean {
  const finding = search(worldOf(change), { sequences, seed });
  const verdict = finding ? `found after ${count(finding.sequences)}: ${finding.violation}` : "SURVIVED";
  say(`${name.padEnd(34)} ${verdict}${finding ? "" : ` (${says})`}`);
  if (isOnly && finding) showFinding(finding);
  return finding !== null;
}

/** True when the protocol held, or every mutant that was asked for was found. */
export async function playModel(options: ModelOptions): Promise<boolean> {
  if (options.isList) {
    for (const { name, says } of MUTANTS) say(`${name.padEnd(34)} ${says}`);
    return true;
  }
  if (options.isSource) {
    const found = await runSourceMutants(SOURCE_MUTANTS, process.cwd(), say);
    say(`${found.length} of ${SOURCE_MUTANTS.length} source mutants found`);
    return found.length === SOURCE_MUTANTS.length;
  }
  const chosen = MUTANTS.filter(({ name }) => options.mutants.includes(name));
  if (options.replay !== null) {
    const found = shorten(worldOf(chosen[0]?.change), options.replay);
    showFinding(found);
    return found.violation === "none";
  }
  const seed = options.seed ?? randomInt(2 ** 31);
  say(`seed ${seed}`);
  if (chosen.length === 0) return playProtocol(options.sequences ?? SEQUENCES, seed);
  const most = options.sequences ?? SEQUENCES_OF_A_MUTANT;
  const found = chosen.filter((mutant) => playMutant(mutant, most, seed, chosen.length === 1));
  say(`${found.length} of ${chosen.length} mutants found`);
  return found.length === chosen.length;
}
