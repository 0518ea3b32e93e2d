import { expect, it } from "vitest";
import { isPublicAddress } from "./public-address.ts";

/** Each range by its first and last addresses, or by those that matter. */
const REFUSED = {
  "this host": ["0.0.0.0", "0.255.255.255"],
  private: ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
  "carrier-grade NAT": ["100.64.0.0", "100.100.100.200", "100.127.255.255"],
  loopback: ["127.0.0.1", "127.0.0.53", "127.255.255.255"],
  "link-local and metadata": ["169.254.0.0", "169.254.169.254", "169.254.170.2", "169.254.255.255"],
  "metadata of other clouds": ["168.63.129.16", "192.0.0.192"],
  "protocol assignments": ["192.0.0.0", "192.0.0.170", "192.0.0.255"],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1"],
  "6to4 relay": ["192.88.99.1"],
  benchmarking: ["198.18.0.0", "198.19.255.255"],
  multicast: ["224.0.0.0", "224.0.0.251", "239.255.255.255"],
  reserved: ["240.0.0.0", "255.255.255.254", "255.255.255.255"],
  "IPv6 unspecified and loopback": ["::", "::1", "0:0:0:0:0:0:0:1"],
  "IPv4-mapped": ["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:169.254.169.254", "::ffff:8.8.8.8"],
  "IPv4-compatible": ["::127.0.0.1", "::7f00:1", "::8.8.8.8"],
  "IPv4-translated": ["::ffff:0:127.0.0.1", "::ffff:0:808:808"],
  NAT64: ["64:ff9b::7f00:1", "64:ff9b::169.254.169.254", "64:ff9b::808:808", "64:ff9b:1::a00:1"],
  "6to4": ["2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1"],
  Teredo: ["2001::1", "2001:0:53aa:64c:0:0:80ff:fffe"],
  "special IPv6": ["100::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff::1"],
  "IPv6 documentation": ["2001:db8::1", "3fff::1", "3fff:fff::1"],
  "unique local": ["fc00::", "fd00::1", "fd00:ec2::254", "fdff:ffff::1"],
  "link-local": ["fe80::1", "febf::1", "fe80::1%eth0"],
  "site-local": ["fec0::1", "feff::1"],
  "IPv6 multicast": ["ff00::", "ff02::1", "ff0e::1"],
  "not handed out": ["4000::1", "5f00::1", "8000::1", "e000::1"],
  "no plain address": [
    ...["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "010.0.0.1", "127.0.0.1.", "1.2.3"],
    ...["localhost", "", "[::1]", "::1%lo", "2606:4700::1%eth0", " 8.8.8.8", "8.8.8.8/32"],
  ],
};
const PUBLIC = [
  ...[
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
  ],
  ...["169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0"],
  ...["198.17.255.255", "198.20.0.0", "223.255.255.255", "168.63.129.15"],
  ...["2001:4860:4860::8888", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e", "2600::1"],
];

const refused = Object.entries(REFUSED).flatMap(([range, addresses]) => addresses.map((address) => [address, range]));

it("the table is as large as the ways in", () => expect(refused.length).toBeGreaterThanOrEqual(60));
it.each(refused)("%s is not public: %s", (address) => expect(isPublicAddress(address ?? "")).toBe(false));
it.each(PUBLIC)("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));
