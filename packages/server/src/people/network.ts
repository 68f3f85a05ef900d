import { isIPv6 } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

/**
 * What of an address counts as one place: of IPv6 the network of 64 bits, of which a single
 * connection has every address; of IPv4 all of it. Text that is no address stays as it is.
 */
export function networkOf(address: string): string {
  const [, ipv4] = MAPPED_IPV4.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  const [withoutZone = ''] = address.split('%');
  const [head = '', tail] = withoutZone.split('::');
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  const between = Array(Math.max(GROUPS - first.length - last.length, 0)).fill('0');
  const groups = [...first, ...between, ...last].slice(0, GROUPS_OF_NETWORK);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
