import type { IncomingMessage } from 'node:http';
import { wireNames } from './send.ts';

/** A sandbox explains every request, and production those that ask for it. */
export function isExplained(
  { brand, isSandbox }: { readonly brand: string; readonly isSandbox: boolean },
  { headers }: Pick<IncomingMessage, 'headers'>,
): boolean {
  return isSandbox || headers[wireNames(brand).explain] === '1';
}
