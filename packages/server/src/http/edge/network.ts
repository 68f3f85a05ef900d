import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What of an address counts as one place: of IPv6 the network of 64 bits, of which a single
 * connection has every address; of IPv4, also written as IPv6, all of it. Text that is no address
 * stays as it is.
 */
export function networkOf(text: string): string {
  // Nearly every request comes from one, and nothing is to be worked out.
  if (isIPv4(text)) return text;
  const [withoutZone = ''] = text.split('%');
  if (!ipaddr.isValid(withoutZone)) return text;
  const address = ipaddr.process(withoutZone);
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString();
}
