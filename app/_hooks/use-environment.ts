"use client";
import { type Environment, ENVIRONMENTS } from "@/lib/domain/enums.ts";
import { browserChoice } from "./browser-choice.ts";
import { useUrlValues } from "./use-url-values.ts";

const kept = browserChoice("environment", ["", ...ENVIRONMENTS], "visit");

/** An address may carry anything: only what exists counts. */
const named = (text: string) => ENVIRONMENTS.find((environment) => environment.toLowerCase() === text);

/**
 * The environment that a person chose, in the address (`?env=paper`) and on all pages of this visit. Undefined while the
 * server chooses: the most real one with an active account.
 */
export function useEnvironment() {
  const { values, change } = useUrlValues({ env: "" });
  const remembered = kept.useChosen();
  const inAddress = named(values.env);
  const wanted = inAddress ?? (remembered === "" ? undefined : remembered);
  return {
    wanted,
    /** What the reading calls take. */
    input: wanted === undefined ? {} : { environment: wanted },
    choose: (environment: Environment) => {
      kept.choose(environment);
      change({ env: environment.toLowerCase() });
    },
    forget: () => {
      kept.choose("");
      change({ env: "" });
    },
    /** Brings the address and the visit together, whichever of them knows of a choice. */
    settle: () => {
      if (inAddress !== undefined && inAddress !== remembered) kept.choose(inAddress);
      if (inAddress === undefined && wanted !== undefined) change({ env: wanted.toLowerCase() });
    },
  };
}

/** Without a choice the server's may change between two polls: an answer of another environment never stands on the page. */
export const ofEnvironment = <T extends { environment: Environment | null }>(
  data: T | undefined,
  page: Environment | null | undefined,
): T | undefined => (page == null || data?.environment === page ? data : undefined);
