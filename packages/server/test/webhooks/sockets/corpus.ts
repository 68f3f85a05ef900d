import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';

/** IPv4 addresses at which no receiver stands: an end or two of every blocked network. */
const ipv4: readonly string[] = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  ...['10.0.0.0', '10.0.0.1', '10.255.255.255'],
  ...['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ...['127.0.0.1', '127.0.1.1', '127.255.255.255'],
  '168.63.129.16',
  ...['169.254.0.1', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  ...['172.16.0.0', '172.16.0.1', '172.17.0.1', '172.31.255.255'],
  ...['192.0.0.1', '192.0.0.192', '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1'],
  ...['192.168.0.0', '192.168.1.1', '192.168.255.255', '192.175.48.1'],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
];

/** IPv6 addresses of the same kind. */
const ipv6: readonly string[] = [
  ...['::', '::1', '::2', '::ffff:0:1', '1::1', '100::1', '5f00::1', '4000::1', 'e000::1'],
  ...['64:ff9b::1', '64:ff9b:1::1', 'fc00::1', 'fd00::1', 'fd00:ec2::254', 'fdff:ffff::1'],
  ...['fe80::1', 'fe80::a9fe:a9fe', 'febf::1', 'fec0::1', 'feff::1', 'ff01::1', 'ff02::1'],
  ...['ff0e::1', '2001::1', '2001:1::1', '2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1'],
  ...['2001:20::1', '2001:30::1', '2001:1ff:ffff::1', '2001:db8::1', '2001:db8:ffff::1'],
  ...['2002::1', '2620:4f:8000::1', '3ffe::1', '3fff::1', '3fff:fff::1'],
];

/** Ends of public networks beside the blocked ones: they are not blocked. */
export const publicAddresses: readonly string[] = [
  ...['1.0.0.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255'],
  ...['169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0'],
  ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255'],
  ...['203.0.112.255', '203.0.114.0', '223.255.255.255'],
  ...['2001:200::1', '2001:db7:ffff::1', '2001:db9::1', '2003::1', '2606:4700::1111', '2a00::1'],
  ...['2620:4f:7fff::1', '3ffd::1', '3fff:1000::1'],
];

/** The ways to carry an IPv4 address in IPv6. */
const carriers: Readonly<Record<string, (high: string, low: string) => string>> = {
  mapped: (high, low) => `::ffff:${high}:${low}`,
  compatible: (high, low) => `::${high}:${low}`,
  translated: (high, low) => `::ffff:0:${high}:${low}`,
  nat64: (high, low) => `64:ff9b::${high}:${low}`,
  nat64Local: (high, low) => `64:ff9b:1::${high}:${low}`,
  '6to4': (high, low) => `2002:${high}:${low}::1`,
  teredo: (high, low) => `2001:0:${high}:${low}::1`,
};

/** Every blocked address that a name can lead to. */
export const blockedAddresses: readonly string[] = [
  ...new Set([
    ...ipv4,
    ...ipv6,
    ...ipv4.flatMap((address) => {
      const [high, low] = halves(address);
      return Object.values(carriers).map((carry) => carry(high, low));
    }),
  ]),
];

/** The ways to write an address by numbers into an URL, beside the usual one. */
const spellings: Readonly<Record<string, (bytes: readonly number[]) => string>> = {
  usual: (bytes) => bytes.join('.'),
  number: (bytes) => String(numberOf(bytes)),
  hexadecimal: (bytes) => `0x${numberOf(bytes).toString(16)}`,
  octal: (bytes) => `0${numberOf(bytes).toString(8)}`,
  hexadecimalParts: (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
  octalParts: (bytes) => bytes.map((byte) => `0${byte.toString(8).padStart(3, '0')}`).join('.'),
  mixedParts: ([a = 0, b = 0, c = 0, d = 0]) => `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
  threeParts: ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
  twoParts: ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${(b * 256 + c) * 256 + d}`,
  finalDot: (bytes) => `${bytes.join('.')}.`,
  fullWidth: (bytes) => bytes.join('.').replaceAll(/\d/g, (digit) => letterAt(0xff10, digit)),
  mathematical: (bytes) => bytes.join('.').replaceAll(/\d/g, (digit) => letterAt(0x1d7ce, digit)),
  otherDots: (bytes) => bytes.join('\u3002'),
  escaped: (bytes) => bytes.join('.').replaceAll(/\d/g, (digit) => `%3${digit}`),
  mapped: (bytes) => `[::ffff:${bytes.join('.')}]`,
  compatible: (bytes) => `[::${bytes.join('.')}]`,
  nat64: (bytes) => `[64:ff9b::${bytes.join('.')}]`,
};

/** Hosts by numbers that lead to blocked addresses, as an URL spells them. */
export const blockedHosts: readonly string[] = [
  ...ipv4.flatMap((address) => {
    const bytes = ipaddr.IPv4.parse(address).octets;
    return Object.values(spellings).map((spell) => spell(bytes));
  }),
  ...ipv6.flatMap((address) => [
    `[${address}]`,
    `[${ipaddr.IPv6.parse(address).toNormalizedString()}]`,
    `[${address.toUpperCase()}]`,
  ]),
  ...ipv4.flatMap((address) => {
    const [high, low] = halves(address);
    return Object.values(carriers).map((carry) => `[${carry(high, low)}]`);
  }),
];

/** Written by hand: everything that is odd about an URL. `{port}` stands for the port of the forbidden listener. */
export const oddUrls: readonly string[] = readFileSync(
  new URL('odd-urls.txt', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => JSON.parse(`"${line}"`) as string);

function numberOf(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

function letterAt(zero: number, digit: string): string {
  return String.fromCodePoint(zero + Number(digit));
}

function halves(address: string): [high: string, low: string] {
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(address).octets;
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
}
