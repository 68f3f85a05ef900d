import { availableParallelism } from 'node:os';
import { unbrandedDestinations } from '@servery/contract';
import { parseDatabaseUrl } from '@servery/postgres/database-url.ts';
import ipaddr from 'ipaddr.js';

export const webAddress = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.search === '' && url.hash === '' && url.username + url.password === '';
  if (url && /^https?:$/.test(url.protocol) && isPlain) {
    return text.replace(/\/+$/, '');
  }
  throw new Error('must be an http or https address, for example https://platform.example');
};

export const databaseAddress = (text: string): string => {
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new Error(
      'must be a PostgreSQL URL, for example postgres://user:password@host:5432/database',
    );
  }
  try {
    parseDatabaseUrl(text);
  } catch (error) {
    throw new Error(`cannot be used: ${(error as Error).message}`);
  }
  return text;
};

export const masterKey = (text: string): string => {
  if (Buffer.from(text, 'base64').length === 32) return text;
  throw new Error('must be 32 bytes in base64: make one with "openssl rand -base64 32"');
};

export const networks = (text: string): string[] => {
  const parts = text.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => !ipaddr.isValid(part) && !ipaddr.isValidCIDR(part));
  if (wrong === undefined) return parts;
  throw new Error('must be addresses or networks, separated by commas, for example 10.0.0.0/8');
};

const MOST_WORKERS = 64;

export const workerCount = (text: string): number => {
  if (text === 'auto') return Math.min(availableParallelism(), MOST_WORKERS);
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_WORKERS) return count;
  throw new Error(`must be a whole number from 1 to ${MOST_WORKERS}, or "auto"`);
};

/**
 * A brand in capitals is a destination of service charges (CFG-4), so it must differ from the
 * others.
 */
export function brandName(text: string): string {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,30}$/.test(text)) {
    throw new Error('must be a letter and up to 30 letters, digits, or dashes');
  }
  if (!unbrandedDestinations.some((destination) => destination === text.toUpperCase())) return text;
  throw new Error(`must not be one of ${unbrandedDestinations.join(', ')}: service charges use it`);
}

export function yes(text: string): boolean {
  if (/^(yes|true|1)$/i.test(text)) return true;
  if (/^(no|false|0)$/i.test(text)) return false;
  throw new Error('must be "yes" or "no"');
}
