import type { ExchangeState } from "../book/state.ts";
import type { FaultKind } from "../faults/kinds.ts";
import type { Subject } from "../faults/match.ts";
import { DATA_KEY_ID } from "../http/callers.ts";
import { accountOfToken } from "../oauth/grants.ts";
import type { DataPlan } from "./channels.ts";
import type { Connection, Gate } from "./connection.ts";

/** As documented: this word is in the place of the key, and the token in the place of the secret. */
const TOKEN_KEY_ID = "oauth";

function subjectOf(state: ExchangeState, owner: string | null): Subject {
  const account = owner === null ? undefined : state.accounts.get(owner)?.account;
  return account === undefined ? {} : { accountId: account.id, accountNumber: account.accountNumber };
}

function ownerOfToken(state: ExchangeState, token: unknown): string | null {
  const found = accountOfToken(state, token, false) ?? accountOfToken(state, token, true);
  return found?.scopes.includes("data") ? found.accountState.account.id : null;
}

/** Who may connect to the data websockets, and which scripted faults are between them and their feeds. */
export function createGate(
  stateOf: () => ExchangeState,
  connections: ReadonlySet<Connection>,
  plan: DataPlan,
  controlToken: string | undefined,
): Gate {
  return {
    plan,
    ownerOf(keyId, secret) {
      if (typeof keyId !== "string") return null;
      // A token's data is not of an environment.
      if (keyId === TOKEN_KEY_ID) return ownerOfToken(stateOf(), secret);
      if (keyId === DATA_KEY_ID) return controlToken !== undefined && secret === controlToken ? keyId : null;
      const account = stateOf().byKeyId.get(keyId)?.account;
      return account !== undefined && account.secret === secret ? account.id : null;
    },
    tokenOf: (keyId, secret) => (keyId === TOKEN_KEY_ID ? String(secret) : null),
    connectionsOf: (owner, rules) =>
      [...connections].filter((connection) => connection.owner === owner && connection.rules === rules).length,
    isMute({ rules, owner }) {
      const state = stateOf();
      const { faults } = state;
      return faults.isAny() && faults.active("mute_socket", "GET", rules.path, subjectOf(state, owner)) !== undefined;
    },
    spoiledAuthentication(owner, rules) {
      const state = stateOf();
      const { faults } = state;
      if (!faults.isAny()) return null;
      const strikes = (kinds: FaultKind[]) =>
        faults.strike(kinds, "GET", rules.path, subjectOf(state, owner)) !== undefined;
      if (strikes(["auth_silence"])) return "silence";
      return strikes(["auth_refused", "keys_revoked"]) ? "refused" : null;
    },
  };
}
