import { areEqual, bytesOf, textOf } from './bytes.ts';
import { type HeadersLike, headerOf } from './headers-like.ts';
import { originalsOf } from './originals.ts';
import { type Invalid, invalid } from './verdict.ts';

const RAW =
  'Verify the bytes exactly as you received them, before anything parses or rewrites them.';

/**
 * Why a signature does not fit a body. `isSigned` asks of other bytes whether the signature fits
 * them: where it fits what the body must have been, that is proof that something changed it.
 */
export function* explainMismatch<Question>(
  body: Uint8Array,
  headers: HeadersLike,
  isSigned: (bytes: Uint8Array) => Generator<Question, boolean, boolean>,
): Generator<Question, Invalid, boolean> {
  const text = textOf(body);
  if (text.trim() === '') {
    return invalid(
      'bodyTruncated',
      `The body is empty: something else has already read it. ${RAW}`,
    );
  }
  const originals = originalsOf(text);
  for (const { bytes, change } of originals) {
    if (yield* isSigned(bytes)) return invalid('bodyReserialized', `${change} ${RAW}`);
  }
  const lengthBytes = Number(headerOf(headers, 'content-length') ?? Number.NaN);
  if (!isJson(text)) return explainNoJson(text, lengthBytes);
  if (Number.isInteger(lengthBytes) && body.length !== lengthBytes) {
    const size = `The body is complete JSON, but has ${body.length} bytes instead of the`;
    const change = `${lengthBytes} in content-length: something changed it.`;
    return invalid('bodyReserialized', `${size} ${change} ${RAW}`);
  }
  if (originals.some(({ isCompact, bytes }) => isCompact && areEqual(bytes, body))) {
    return invalid(
      'wrongSecret',
      'This signature was not made with any of your secrets for these bytes: the secret belongs ' +
        'to another endpoint or was revoked, or a value in the body was changed.',
    );
  }
  return invalid(
    'bodyReserialized',
    `The body is not in the form in which it was sent (JSON without spaces, fields in order). ${RAW}`,
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function explainNoJson(text: string, lengthBytes: number): Invalid {
  const sizeBytes = bytesOf(text).length;
  const after = sizeBytes < lengthBytes ? `${sizeBytes} of ${lengthBytes}` : sizeBytes;
  if (isUnfinished(text)) {
    return invalid(
      'bodyTruncated',
      `The body ends after ${after} bytes, in the middle of its JSON. Wait for the whole body, ` +
        'and check that nothing limits its size.',
    );
  }
  return invalid('bodyReserialized', `The body is not JSON: something changed it. ${RAW}`);
}

/** Whether a text begins as an object that is not closed at its end. */
function isUnfinished(text: string): boolean {
  // Texts are blanked, so that only the braces of the object itself are counted.
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*("|$)/gs, (_all, end) => (end ? '' : '{'));
  const count = (brace: string) => bare.split(brace).length - 1;
  return bare.trimStart().startsWith('{') && count('{') > count('}');
}
