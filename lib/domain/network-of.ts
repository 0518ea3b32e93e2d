/**
 * The network of an address, of which one caller may own all addresses: a /24, or a /64 of IPv6. Null: not known. This machine's own
 * address says as little as none: behind a tunnel or a proxy on it may be anyone.
 */
export function networkOf(address: string | null): string | null {
  if (address === null || address === "::1" || address.startsWith("127.")) return null;
  if (!address.includes(":")) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groupsOf = (part: string) => part.split(":").filter((group) => group !== "");
  const [left, right] = [groupsOf(head), groupsOf(tail ?? "")];
  // "::" stands for as many zeros as are missing: one network has one name.
  const leftOut = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(leftOut).fill("0"), ...right].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
