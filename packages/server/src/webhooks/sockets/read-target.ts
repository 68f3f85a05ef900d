import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { findObstacle, isLoopback } from './networks.ts';
import { refusePort } from './ports.ts';

export interface TargetRules {
  /** Also allows `http` to loopback. Sandboxes only; production never sets it. */
  readonly allowsLoopback: boolean;
  readonly blockedNetworks?: readonly string[];
}

export interface Target {
  readonly url: string;
  readonly isTls: boolean;
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** A sentence for the author of the address. */
export interface TargetRefusal {
  readonly refusal: string;
}

const LENGTH_LIMIT = 2_048;
const TOO_LONG = `An address has at most ${LENGTH_LIMIT} letters.`;
const NAME_LIMIT = 253;
/** Excludes everything that a parser would skip or correct. */
const FORM = /^(https?):\/\/([^/?#]+)([/?][^#]*)?$/i;
/** Characters that parsers treat differently. */
const DISPUTED = /[\s\\\p{C}\p{Z}<>"^`{|}]/u;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
/** No top-level domain starts with a digit; some parsers read such a name as a number. */
const TOP_LABEL = /^[a-z][a-z0-9-]+$/;

/** Names of private networks, or without addresses (RFC 6761, RFC 9476 and custom). */
const innerNames: readonly string[] = [
  ...['alt', 'arpa', 'corp', 'home', 'internal', 'intranet', 'invalid', 'lan', 'local'],
  ...['localdomain', 'localhost', 'mail', 'onion', 'private', 'svc', 'test'],
];

/**
 * Checks only the text; each connection checks where the name leads. Allows `http` only to loopback
 * where the rules allow it.
 */
export function readTarget(text: string, rules: TargetRules): Target | TargetRefusal {
  if (text.length > LENGTH_LIMIT) return refuse(TOO_LONG);
  if (DISPUTED.test(text)) {
    return refuse('An address has no spaces, controls, backslashes or quotes; write them as %XX.');
  }
  const [, scheme = '', authority = ''] = FORM.exec(text) ?? [];
  if (scheme === '') {
    const both = rules.allowsLoopback ? ' or http://' : '';
    return refuse(`An address is https://${both}, a name, a path and a query, and no fragment.`);
  }
  if (authority.includes('@')) return refuse('An address has no user name and no password.');
  const url = URL.parse(text);
  // The URL grows when non-ASCII characters become %XX.
  if (url && url.href.length > LENGTH_LIMIT) return refuse(TOO_LONG);
  if (!url) return refuse('An address names a receiver; this is none.');
  const isTls = url.protocol === 'https:';
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const target = { url: url.href, isTls, host, port, path: url.pathname + url.search };
  const refusal = refuseHost(target, authority, rules) ?? refusePortOf(target);
  return refusal === null ? target : refuse(refusal);
}

function refuse(refusal: string): TargetRefusal {
  return { refusal };
}

function refusePortOf({ port, isTls }: Target): string | null {
  const reason = refusePort(port, isTls);
  return reason && `The port ${port} is refused: ${reason}.`;
}

function refuseHost({ host, isTls }: Target, authority: string, rules: TargetRules): string | null {
  const written = authority.replace(/:\d*$/, '').toLowerCase();
  const isHere = isLoopback(host) || isLocalName(host);
  if (!isTls && !(rules.allowsLoopback && isHere)) {
    return rules.allowsLoopback
      ? 'An address is https://; http:// leads to this machine only.'
      : 'An address is https://, so that nobody on the way reads or changes events.';
  }
  const misspelt = refuseSpelling(host, written);
  if (misspelt !== null || (isHere && rules.allowsLoopback)) return misspelt;
  return isIP(host) ? refuseAddress(host, rules) : refuseName(host);
}

/** Refuses even harmless ones: people and other parsers must read the called address. */
function refuseSpelling(host: string, written: string): string | null {
  const usual = host.includes(':') ? `[${host}]` : domainToUnicode(host);
  if (written === usual || written === host) return null;
  return `The receiver is written in the usual way: ${usual}.`;
}

function refuseAddress(host: string, { blockedNetworks }: TargetRules): string | null {
  const obstacle = findObstacle(host, [], blockedNetworks);
  return obstacle && `${host} cannot be reached from here: ${obstacle}.`;
}

function refuseName(host: string): string | null {
  const labels = host.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 2) return 'A receiver has a full name, with a dot.';
  const isName = labels.every((label) => LABEL.test(label)) && TOP_LABEL.test(top);
  if (!isName || host.length > NAME_LIMIT) {
    return 'The name of the receiver is no name of the Internet.';
  }
  return innerNames.includes(top) ? `Names that end with .${top} lead nowhere from here.` : null;
}

/** RFC 6761: no name server is asked for them. */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
