/** Bytes and texts as every JavaScript has them: the check of a signature runs in browsers, too. */

const encoder = new TextEncoder();
// A byte order mark is part of the body.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** One byte for each character, as Latin-1 has them. */
export function latin1BytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Of text that is Base64, with or without `=` at its end. */
export function base64BytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return latin1BytesOf(atob(base64));
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
