import { expect, it } from "vitest";
import { networkOf } from "./network-of.ts";

it.each([
  ["203.0.113.7", "203.0.113.0/24"],
  ["203.0.113.250", "203.0.113.0/24"],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8::ffff:2", "2001:db8:0:0::/64"],
  ["2001:db8:0:0:1:2:3:4", "2001:db8:0:0::/64"],
  ["::2", "0:0:0:0::/64"],
  ["127.0.0.1", null],
  ["::1", null],
  [null, null],
])("the network of %s is %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
