import { describe, expect, it } from "vitest";
import { INTENT_PURPOSES, KILL_STATES, SIDES } from "@/lib/domain/enums.ts";
import { strictness } from "@/lib/domain/kill-strictness.ts";
import { ORDER_PROTOCOL } from "@/lib/domain/protocol/settings.ts";
import { refusalToSend, type Switches } from "./refusal-to-send.ts";

const EPOCH = 7;
const free: Switches = {
  account: {
    status: "ACTIVE",
    deletedAt: null,
    haltedAt: null,
    sealedKeys: "sealed",
    environment: "PAPER",
    writerEpoch: EPOCH,
    killState: "NONE",
  },
  systemKillState: "NONE",
  userKillState: "NONE",
  isSymbolStopped: false,
  newestProtocol: ORDER_PROTOCOL,
  isAutomationPaused: false,
  isSwitchedOff: false,
  isUserDisabled: false,
  isPaperOnly: true,
};

/**
 * By hand: what may leave. An entry opens a position whichever side it has; the other purchases only add to one. What is sold because
 * everything is to be sold leaves under FLATTEN alone.
 */
const PASSES: Record<(typeof KILL_STATES)[number], string[]> = {
  NONE: SIDES.flatMap((side) =>
    INTENT_PURPOSES.filter((purpose) => purpose !== "FLATTEN").map((purpose) => `${side} ${purpose}`),
  ),
  NO_NEW_ENTRIES: [
    "BUY EXIT",
    "BUY TRIM",
    "BUY PROTECT",
    "BUY ROTATION",
    "BUY MANUAL",
    "SELL EXIT",
    "SELL TRIM",
    "SELL PROTECT",
    "SELL ROTATION",
    "SELL MANUAL",
  ],
  REDUCE_ONLY: ["SELL EXIT", "SELL TRIM", "SELL PROTECT", "SELL ROTATION", "SELL MANUAL"],
  FLATTEN: ["SELL EXIT", "SELL TRIM", "SELL PROTECT", "SELL ROTATION", "SELL FLATTEN", "SELL MANUAL"],
};

const orders = SIDES.flatMap((side) =>
  INTENT_PURPOSES.map((purpose) => ({ side, purpose, name: `${side} ${purpose}` })),
);
const passing = (switches: Switches) =>
  orders.filter((order) => refusalToSend(switches, order, EPOCH) === null).map(({ name }) => name);

describe.each(KILL_STATES)("kill state %s", (killState) => {
  it("of the account lets exactly these orders pass", () => {
    expect(passing({ ...free, account: { ...free.account, killState } })).toEqual(PASSES[killState]);
  });

  it("of the system lets exactly these orders pass", () => {
    expect(passing({ ...free, systemKillState: killState })).toEqual(PASSES[killState]);
  });

  it("of the user lets exactly these orders pass", () => {
    expect(passing({ ...free, userKillState: killState })).toEqual(PASSES[killState]);
  });

  it.each(KILL_STATES)("beside %s: the stricter one holds, on whichever levels", (other) => {
    const account = { ...free.account, killState };
    const both = PASSES[strictness(killState) < strictness(other) ? other : killState];
    expect(passing({ ...free, account, systemKillState: other })).toEqual(both);
    expect(passing({ ...free, account, userKillState: other })).toEqual(both);
    expect(passing({ ...free, userKillState: killState, systemKillState: other })).toEqual(both);
  });

  it("beside a stop of the symbol: nothing is bought, exits and stops pass", () => {
    const stopped = { ...free, userKillState: killState, isSymbolStopped: true };
    expect(passing(stopped)).toEqual(PASSES[killState === "FLATTEN" ? "FLATTEN" : "REDUCE_ONLY"]);
  });

  it("says whose stop it is", () => {
    const entry = { side: "BUY", purpose: "ENTRY" } as const;
    const ofAccount = refusalToSend({ ...free, account: { ...free.account, killState } }, entry, EPOCH);
    const ofSystem = refusalToSend({ ...free, systemKillState: killState }, entry, EPOCH);
    const ofUser = refusalToSend({ ...free, userKillState: killState }, entry, EPOCH);
    expect(ofUser).toBe(
      killState === "NONE" ? null : `kill switch of the user: ${killState.toLowerCase().replaceAll("_", " ")}`,
    );
    expect(refusalToSend({ ...free, isSymbolStopped: true }, entry, EPOCH)).toBe(
      "kill switch of the symbol: reduce only",
    );
    expect(ofAccount).toBe(
      killState === "NONE" ? null : `kill switch of the account: ${killState.toLowerCase().replaceAll("_", " ")}`,
    );
    expect(ofSystem).toBe(
      killState === "NONE" ? null : `kill switch of the system: ${killState.toLowerCase().replaceAll("_", " ")}`,
    );
  });
});

describe("beside the kill states", () => {
  it("a pause stops every purchase and no sale", () => {
    const account = { ...free.account, killState: "FLATTEN" } as const;
    for (const pause of [{ isAutomationPaused: true }, { isSwitchedOff: true }]) {
      expect(passing({ ...free, ...pause })).toEqual(PASSES.NONE.filter((name) => name.startsWith("SELL")));
      expect(passing({ ...free, ...pause, account })).toEqual(PASSES.FLATTEN);
    }
  });

  it("for a disabled person nothing is bought or opened; exits and stops keep working", () => {
    expect(passing({ ...free, isUserDisabled: true })).toEqual(PASSES.REDUCE_ONLY);
    const entry = { side: "BUY", purpose: "ENTRY" } as const;
    expect(refusalToSend({ ...free, isUserDisabled: true }, entry, EPOCH)).toBe("the user is disabled");
  });

  it("a paused account buys nothing and opens nothing; its exits and stops keep working", () => {
    expect(passing({ ...free, account: { ...free.account, status: "PAUSED" } })).toEqual(PASSES.REDUCE_ONLY);
  });

  it.each<[string, Partial<Switches["account"]>]>([
    ["halted", { haltedAt: new Date(0) }],
    ["inactive", { status: "INACTIVE" }],
    ["deleted", { deletedAt: new Date(0) }],
    ["without keys", { sealedKeys: null }],
    ["of another writer", { writerEpoch: EPOCH + 1 }],
  ])("nothing leaves an account that is %s, under any state", (_, change) => {
    for (const killState of KILL_STATES)
      expect(passing({ ...free, account: { ...free.account, ...change, killState } })).toEqual([]);
  });

  it("nothing leaves a build that speaks an older order protocol than the newest that sent here", () => {
    expect(passing({ ...free, newestProtocol: ORDER_PROTOCOL + 1 })).toEqual([]);
    expect(passing({ ...free, newestProtocol: ORDER_PROTOCOL - 1 })).toEqual(PASSES.NONE);
  });

  it("protection of bare shares passes every switch; an account that is gone, without keys or another writer's sends none", () => {
    const protecting = (change: Partial<Switches["account"]>, beside: Partial<Switches> = {}) =>
      orders
        .filter((order) => {
          const switches = { ...free, ...beside, account: { ...free.account, ...change } };
          return refusalToSend(switches, order, EPOCH, true) === null;
        })
        .map(({ name }) => name);
    const protection = ["SELL EXIT", "SELL PROTECT"];
    expect(protecting({ haltedAt: new Date(0) })).toEqual(protection);
    expect(protecting({ status: "INACTIVE" })).toEqual(protection);
    expect(protecting({ killState: "FLATTEN" }, { isAutomationPaused: true })).toEqual(
      expect.arrayContaining(protection),
    );
    expect(protecting({ environment: "LIVE" })).toEqual(expect.arrayContaining(protection));
    expect(protecting({})).toEqual(passing(free));
    const stopped = [{ deletedAt: new Date(0) }, { sealedKeys: null }, { writerEpoch: EPOCH + 1 }];
    for (const change of stopped as Partial<Switches["account"]>[]) expect(protecting(change)).toEqual([]);
  });

  it("what is sold because everything is to be sold is not sent once no level says so any more", () => {
    const sale = { side: "SELL", purpose: "FLATTEN" } as const;
    expect(refusalToSend(free, sale, EPOCH)).toBe("selling everything was taken back");
    for (const levels of [
      { account: { ...free.account, killState: "FLATTEN" as const } },
      { userKillState: "FLATTEN" as const },
      { systemKillState: "FLATTEN" as const },
    ])
      expect(refusalToSend({ ...free, ...levels }, sale, EPOCH)).toBeNull();
  });

  it("while the person wants paper only, a live account is only flattened, or sold by its owner", () => {
    const live = { ...free.account, environment: "LIVE" } as const;
    expect(passing({ ...free, account: live })).toEqual(["SELL MANUAL"]);
    expect(passing({ ...free, account: { ...live, killState: "FLATTEN" } })).toEqual(["SELL FLATTEN", "SELL MANUAL"]);
    expect(passing({ ...free, account: live, isPaperOnly: false })).toEqual(PASSES.NONE);
  });
});
