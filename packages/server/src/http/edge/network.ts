import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * One connection of IPv6 has a network of 64 bits, so that counts as one place. IPv4 written as
 * IPv6 counts as IPv4. Other text stays unchanged.
 */
export function networkOf(text: string): string {
  if (isIPv4(text)) return text;
  const [withoutZone = ''] = text.split('%');
  if (!ipaddr.isValid(withoutZone)) return text;
  const address = ipaddr.process(withoutZone);
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString();
}

/** Whether a host name or an address is this machine. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '').replace(/^::ffff:/, '');
  return (
    address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'))
  );
}
