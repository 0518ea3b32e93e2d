import { type AccountEnvironment, type BrokerName, type Environment, ENVIRONMENTS } from "./enums.ts";

interface Placed {
  broker: BrokerName;
  environment: AccountEnvironment;
}

/** An account on the practice market is stored as PAPER at another broker. */
export function environmentLabel({ broker, environment }: Placed): Environment {
  return broker === "PRACTICE" ? "PRACTICE" : environment;
}

/** The environments of these accounts, each once, the most real first. */
export function environmentsOf(accounts: readonly Placed[]): Environment[] {
  const held = new Set(accounts.map(environmentLabel));
  return ENVIRONMENTS.filter((environment) => held.has(environment));
}

/**
 * The environment of a figure that was asked for without one: the most real one with an active account, else the most real
 * one of all accounts. Null without accounts.
 */
export function defaultEnvironment(accounts: readonly (Placed & { isActive: boolean })[]): Environment | null {
  const active = accounts.filter(({ isActive }) => isActive);
  return environmentsOf(active)[0] ?? environmentsOf(accounts)[0] ?? null;
}
