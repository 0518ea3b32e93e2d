import ipaddr from "ipaddr.js";

/** Global unicast: what is outside of it is no address of the public internet. */
const GLOBAL_V6 = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/** Inside of public ranges, and still not public: registries' special blocks, and a cloud's own services. */
const NOT_PUBLIC = [
  "168.63.129.16/32", // metadata and DNS of one of the clouds
  "2001::/23", // special purposes: Teredo, benchmarking, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4 wraps any IPv4 address
  "3fff::/20", // documentation
].map((range) => ipaddr.parseCIDR(range));

/**
 * Whether an IP address is one of the public internet, where a server of someone else may stand: not this machine, not the
 * network it is in, not a cloud's metadata, and no IPv6 form that leads to such an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  // Only the plain forms: "127.1" and "0x7f000001" are addresses as well.
  if (!(ipaddr.IPv4.isValidFourPartDecimal(address) || (address.includes(":") && ipaddr.IPv6.isValid(address))))
    return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv6 && (parsed.zoneId !== undefined || !parsed.match(GLOBAL_V6))) return false;
  return !NOT_PUBLIC.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match([range, bits] as never));
}
