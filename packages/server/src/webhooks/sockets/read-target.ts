import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { findObstacle, isLoopback } from './networks.ts';
import { refusePort } from './ports.ts';
import type { TargetRules } from './rules.ts';

/** An address that the rules allow as far as its text tells; its name is not resolved yet. */
export interface Target {
  /** The one spelling of it: what is kept, shown and asked. */
  readonly url: string;
  readonly isTls: boolean;
  /** A name in lower case, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
}

/** Why an address is refused, as a sentence for whoever wrote it. */
export interface TargetRefusal {
  readonly refusal: string;
}

const LENGTH_LIMIT = 2_048;
const TOO_LONG = `An address has at most ${LENGTH_LIMIT} letters.`;
const NAME_LIMIT = 253;
/** Scheme, authority, and the rest; nothing that a parser would skip, mend or turn round. */
const FORM = /^(https?):\/\/([^/?#]+)([/?][^#]*)?$/i;
/** What readers of addresses disagree about: spaces, controls, quotes and backslashes. */
const DISPUTED = /[\s\\\p{C}\p{Z}<>"^`{|}]/u;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
/** No domain at the top begins with a digit; what looks like a number is one for some readers. */
const TOP_LABEL = /^[a-z][a-z0-9-]+$/;

/** Names that lead into a network of somebody's own, or nowhere (RFC 6761, RFC 9476 and habit). */
const innerNames: readonly string[] = [
  ...['alt', 'arpa', 'corp', 'home', 'internal', 'intranet', 'invalid', 'lan', 'local'],
  ...['localdomain', 'localhost', 'mail', 'onion', 'private', 'svc', 'test'],
];

/**
 * Reads the address of a receiver by the rules of webhooks: `https`, or `http` to loopback where
 * that is allowed; no user name, no fragment, no odd port, no inner name; an address in its usual
 * spelling, and public. What a name leads to is checked at each connection.
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
  // Letters outside of ASCII are sent as %XX, which is longer.
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

/**
 * Other spellings are refused even where they are harmless: what is asked has to be what people
 * read, and what another reader of the address would ask.
 */
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

/** Names of this machine itself, which no name server is asked for (RFC 6761). */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
