import type { AccountAccessName } from "./enums.ts";

interface AccessText {
  /** The halt's reason where the broker takes the keys or the access no more: an order met it, a reading or the stream. */
  refused: string;
  /** Changed, moved here from another row, or sealed under a master key that this installation does not have. */
  unopenable: string;
  stillRefused: string;
  /** What its owner can do about the two. */
  afterRefusal: string;
  afterUnopenable: string;
  /** To who asks for something that needs them. */
  cannotOpen: string;
  unusable: string;
  accepted: string;
  erased: string;
  /** "The account was deleted: …, its history stays." */
  isErased: string;
  /** What is kept of a deleted account while its stops rest at the broker; `days` at most. */
  kept: (days: number) => string;
  /** Of a deleted account, with the reason. */
  keptErased: string;
}

/** What people read about how an account is reached. */
export const ACCESS_TEXT: Record<AccountAccessName, AccessText> = {
  KEYS: {
    refused: "The broker refused the keys of this account.",
    stillRefused: "The broker still refuses the keys of this account.",
    unopenable: "The stored keys of this account cannot be opened.",
    afterRefusal:
      "Check at Alpaca whether the keys were revoked. If you have new keys, delete this account and add it again. If the broker accepts the old keys again, the account resumes by itself.",
    afterUnopenable:
      "Delete this account and add it again with its keys: the history stays, and protective stops rest at the broker meanwhile.",
    cannotOpen: "The stored keys of this account cannot be opened. Please add the account again.",
    unusable: "The keys of this account can no longer be used.",
    accepted: "The broker accepts the keys of the account again: the halt is lifted.",
    erased: "The keys of this account were erased.",
    isErased: "its keys are erased",
    kept: (days) =>
      `its keys are kept encrypted, for reading only, until its last shares are sold, ${days} days at most. Revoke them at the broker to end this at once.`,
    keptErased: "The keys of a deleted account are erased",
  },
  OAUTH: {
    refused: "Alpaca no longer accepts Tradewind's access to this account: connect it again.",
    stillRefused: "Alpaca still does not accept Tradewind's access to this account: connect it again.",
    unopenable: "The stored access to this account cannot be opened: connect it again.",
    afterRefusal:
      "The account, its history and its settings stay. Protective stops stay at the broker meanwhile. The account resumes by itself once Alpaca accepts the new access.",
    afterUnopenable:
      "The account, its history and its settings stay. Protective stops stay at the broker meanwhile. The account resumes by itself with the new access.",
    cannotOpen: "The stored access to this account cannot be opened: connect it again.",
    unusable: "The access to this account can no longer be used.",
    accepted: "Alpaca accepts Tradewind's access to the account again: the halt is lifted.",
    erased: "The access to this account was erased.",
    isErased: "the access to it is erased",
    kept: (days) =>
      `the access to it is kept encrypted, for reading only, until its last shares are sold, ${days} days at most. Revoke it at Alpaca, under OAuth Apps, to end this at once.`,
    keptErased: "The access to a deleted account is erased",
  },
};

/** Granted access may be turned to another account at Alpaca; nothing is sent or booked by it then. */
export const OTHER_ACCOUNT =
  "Tradewind's access at Alpaca opens another account than the one that was connected: connect it again.";
