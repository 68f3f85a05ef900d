import { v4, v5, v7 } from 'uuid';

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
  return v5(name, namespaceGuid);
}

/** The lower-case form of a UUID of any version (decisions P9), or null when it is not one. */
export function parseGuid(text: string): string | null {
  return UUID.test(text) ? text.toLowerCase() : null;
}
