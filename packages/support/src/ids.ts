import { hash, randomFillSync } from 'node:crypto';
import { v4, v7 } from 'uuid';
import { machineClock } from './clock.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Asking the system for random bytes costs as much for one identifier as for all of these. */
const randomBytes = new Uint8Array(16 * 256);
let used = randomBytes.length;
let newestMs = Number.NEGATIVE_INFINITY;
/** Counts identifiers within a millisecond, from a random number on. */
let sequence = 0;

/** A new time-ordered identifier (UUIDv7) for a row that this application inserts. */
export function newGuid(): string {
  const random = nextRandom();
  const nowMs = machineClock.nowMs();
  if (nowMs > newestMs) {
    newestMs = nowMs;
    sequence = Buffer.from(random.buffer, random.byteOffset + 6, 4).readUInt32BE() >>> 1;
  } else {
    sequence = (sequence + 1) | 0;
    if (sequence === 0) newestMs += 1;
  }
  return v7({ random, msecs: newestMs, seq: sequence });
}

/** Sixteen random bytes that nobody else gets. */
function nextRandom(): Uint8Array {
  if (used === randomBytes.length) {
    randomFillSync(randomBytes);
    used = 0;
  }
  used += 16;
  return randomBytes.subarray(used - 16, used);
}

/** A new random identifier (UUIDv4), for what must not reveal when it was made. */
export function newRandomId(): string {
  return v4();
}

/** The same GUID for the same name in the same namespace, on every machine (UUIDv5). */
export function derivedGuid(namespaceGuid: string, name: string): string {
  const namespace = Buffer.from(namespaceGuid.replaceAll('-', ''), 'hex');
  const digest = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]), 'buffer');
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex', 0, 16);
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map((part) => hex.slice(...part))
    .join('-');
}

/** Whether a text is a UUID of any version (decisions PAY-9). */
export const isUuid = (text: string): boolean => UUID.test(text);

/** The lower-case form of a UUID of any version (decisions PAY-9), or null when it is not one. */
export function parseGuid(text: string): string | null {
  return UUID.test(text) ? text.toLowerCase() : null;
}
