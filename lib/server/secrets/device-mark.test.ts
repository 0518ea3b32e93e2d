import { createHmac } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { env } from "../env.ts";
import {
  accountKey,
  DEVICE_MARK_MS,
  isMarkOfPassword,
  markedBy,
  readDeviceMark,
  writeDeviceMark,
} from "./device-mark.ts";

beforeAll(useLeastEnv);

const AT = new Date("2026-11-26T12:00:00.000Z");
const ada = markedBy({ email: "ada@example.com", passwordHash: "the hash of one password" });

it("a mark is read as it was written until it is over, and not one character of it can be another", () => {
  const text = writeDeviceMark(ada, AT, "AAAAbbbb1234");
  expect(readDeviceMark(text, AT)).toEqual({ ...ada, id: "AAAAbbbb1234" });
  expect(readDeviceMark(text, new Date(AT.getTime() + DEVICE_MARK_MS))).toBeNull();
  for (let at = 0; at < text.length - 1; at += 1) {
    const other = text[at] === "7" ? "8" : "7";
    expect(readDeviceMark(`${text.slice(0, at)}${other}${text.slice(at + 1)}`, AT)).toBeNull();
  }
});

it("a mark holds for the password under which it was made, and for no other", () => {
  const mark = readDeviceMark(writeDeviceMark(ada, AT), AT);
  expect(mark && isMarkOfPassword(mark, "the hash of one password")).toBe(true);
  expect(mark && isMarkOfPassword(mark, "the hash of another one")).toBe(false);
});

it("a mark of an earlier release, which does not say its password, is read and holds for none", () => {
  const said = `${Math.floor((AT.getTime() + DEVICE_MARK_MS) / 1000)}.${accountKey("ada@example.com")}.AAAAbbbb1234`;
  const [secret = ""] = env().NEXTAUTH_SECRET.split(",");
  const signed = createHmac("sha256", secret).update(`device|${said}`).digest("base64url");
  const mark = readDeviceMark(`${said}.${signed}`, AT);
  expect(mark).toEqual({ account: ada.account, id: "AAAAbbbb1234", stamp: null });
  expect(mark && isMarkOfPassword(mark, "the hash of one password")).toBe(false);
});
