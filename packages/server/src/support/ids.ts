import { hash } from 'node:crypto';
import { v4, v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new time-ordered identifier (UUIDv7) for a row that this application inserts. */
export function newGuid(): string {
  return v7();
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

/** The lower-case form of a UUID of any version (decisions P9), or null when it is not one. */
export function parseGuid(text: string): string | null {
  return UUID.test(text) ? text.toLowerCase() : null;
}
