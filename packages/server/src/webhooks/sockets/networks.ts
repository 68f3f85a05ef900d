import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Of IPv6, only 2000::/3 is public: lists its exceptions, and other ranges for their names. */
const blockedNetworks: readonly (readonly [network: string, what: string])[] = [
  ['0.0.0.0/8', 'this machine or network'],
  ['10.0.0.0/8', 'a private network'],
  ['100.64.0.0/10', 'the network of a provider (carrier-grade NAT)'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'the agent of a cloud on this machine'],
  ['169.254.0.0/16', 'link-local, where clouds tell the credentials of a machine'],
  ['172.16.0.0/12', 'a private network'],
  ['192.0.0.0/24', 'reserved for protocols'],
  ['192.0.2.0/24', 'for documentation'],
  ['192.31.196.0/24', 'reserved for protocols'],
  ['192.52.193.0/24', 'reserved for protocols'],
  ['192.88.99.0/24', 'a relay from IPv6 to IPv4'],
  ['192.168.0.0/16', 'a private network'],
  ['192.175.48.0/24', 'reserved for protocols'],
  ['198.18.0.0/15', 'for benchmarks'],
  ['198.51.100.0/24', 'for documentation'],
  ['203.0.113.0/24', 'for documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved, or broadcast'],
  ['::/128', 'this machine'],
  ['::1/128', 'loopback'],
  ['::/96', 'IPv4 written as IPv6'],
  ['::ffff:0:0/96', 'IPv4 written as IPv6'],
  ['64:ff9b::/96', 'IPv4 behind a translator (NAT64)'],
  ['64:ff9b:1::/48', 'IPv4 behind a translator (NAT64)'],
  ['fc00::/7', 'a private network'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'a private network'],
  ['ff00::/8', 'multicast'],
  ['2001::/32', 'IPv4 in a tunnel (Teredo)'],
  ['2001::/23', 'reserved for protocols'],
  ['2001:db8::/32', 'for documentation'],
  ['2002::/16', 'IPv4 in a tunnel (6to4)'],
  ['2620:4f:8000::/48', 'reserved for protocols'],
  ['3ffe::/16', 'deprecated, and not routed'],
  ['3fff::/20', 'for documentation'],
];

const blocked = blockedNetworks.map(([network, what]) => {
  return { network: ipaddr.parseCIDR(network), what };
});
const publicIpv6 = ipaddr.parseCIDR('2000::/3');

export function isLoopback(text: string): boolean {
  return isUsualSpelling(text) && ipaddr.parse(text).range() === 'loopback';
}

/**
 * Null for public unicast addresses in their usual spelling. `own` are this machine's addresses,
 * which no firewall protects; `kept` are the operator's networks.
 */
export function findObstacle(
  text: string,
  own: readonly string[],
  kept: readonly string[] = [],
): string | null {
  if (!isUsualSpelling(text)) return 'no address';
  const address = ipaddr.parse(text);
  const named = blocked.find(({ network }) => contains(network, address));
  if (named) return named.what;
  if (address.kind() === 'ipv6' && !contains(publicIpv6, address)) return 'not public';
  // The library may learn further ranges with new versions.
  if (address.range() !== 'unicast') return `not public (${address.range()})`;
  if (own.some((one) => isSame(one, address))) return 'this machine';
  if (kept.some((one) => contains(networkOf(one), address))) return 'a network of the platform';
  return null;
}

function contains([network, bits]: [Address, number], address: Address): boolean {
  return network.kind() === address.kind() && address.match([network, bits] as never);
}

function networkOf(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv6' ? 128 : 32];
}

/** Excludes spellings that parsers read differently. */
function isUsualSpelling(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return true;
  return ipaddr.IPv6.isValid(text) && !text.includes('%');
}

function isSame(text: string, address: Address): boolean {
  return ipaddr.isValid(text) && ipaddr.parse(text).toString() === address.toString();
}

export function spellAddress(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : text;
}
