import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';
import { parseJsonInTurns } from './json.ts';

/**
 * How an operation's body is written. `loginJson` is JSON whatever the content type says (AUTH-1), and
 * `jsonText` JSON that the operation parses itself.
 */
export type BodyForm = 'json' | 'jsonText' | 'loginJson' | 'form';

const JSON_TYPE = 'application/json';
const MEDIA_TYPES = {
  json: JSON_TYPE,
  jsonText: JSON_TYPE,
  form: 'application/x-www-form-urlencoded',
};

/** Far more fields than any form of ours has. */
const FORM_FIELDS = 100;

/** Where the bytes of a body are kept. */
interface KeptBytes {
  /** Null until they were read. */
  requestBytes: Buffer | null;
}

/**
 * Reads and parses the body of a request. Gives the JSON value, its text for `jsonText`, or a flat
 * record for a form.
 * Throws 415 for another content type, charset or content coding, 413 over `maxBytes`, and 400 for
 * a missing body, broken UTF-8, hostile JSON or a form field given twice (decisions API-5, API-9).
 * `kept` gets what was read, before anything of it is looked at; what is there already is not read.
 */
export async function readBody(
  request: IncomingMessage,
  form: BodyForm,
  kept: KeptBytes,
  maxBytes: number,
): Promise<unknown> {
  if (form !== 'loginJson') requireMediaType(request, MEDIA_TYPES[form]);
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new ApiError(
      'unsupportedMediaType',
      `The body has the content coding "${coding}": send it without Content-Encoding.`,
    );
  }
  kept.requestBytes ??= await readBytes(request, maxBytes);
  const text = decode(kept.requestBytes);
  if (text.trim() === '') {
    throw new ApiError('badRequest', `The request has no body: send one as ${described(form)}.`);
  }
  if (form === 'jsonText') return text;
  return form === 'form' ? parseForm(text) : await parseJsonInTurns(text);
}

function described(form: BodyForm): string {
  return form === 'form' ? MEDIA_TYPES.form : MEDIA_TYPES.json;
}

function requireMediaType(request: IncomingMessage, wanted: string): void {
  const given = request.headers['content-type'];
  const [mediaType = '', ...parameters] = (given ?? '').split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/i.test(charset);
  if (mediaType.toLowerCase() === wanted && utf8) return;
  const what = given === undefined ? 'has no Content-Type' : `has the Content-Type "${given}"`;
  throw new ApiError('unsupportedMediaType', `The body ${what}: send ${wanted} in UTF-8.`);
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(
    'payloadTooLarge',
    `The body is larger than ${maxBytes} bytes: split it into smaller requests.`,
    // The rest of the body is still under way; it is cheaper to hang up soon than to read it all.
    { headers: { connection: 'close' } },
  );
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    collectBytes(request, maxBytes, (outcome) => {
      if (Buffer.isBuffer(outcome)) resolve(outcome);
      else reject(outcome);
    });
  });
}

/**
 * Reads a body to its end and calls `done` once: with its bytes, or with the 413 for one that is
 * over `maxBytes`, whose rest is left where it is, or the 400 for one that broke off.
 */
export function collectBytes(
  request: IncomingMessage,
  maxBytes: number,
  done: (outcome: Buffer | ApiError) => void,
): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    done(tooLarge(maxBytes));
    return;
  }
  if (request.destroyed) {
    done(brokenOff(request.errored));
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  let isDone = false;
  const end = (outcome: () => Buffer | ApiError) => {
    if (isDone) return;
    isDone = true;
    done(outcome());
  };
  // An iterator takes 10 µs of the processor, listeners 1, and every request with a body pays.
  request.on('data', (chunk: Buffer) => {
    if (isDone) return;
    size += chunk.length;
    chunks.push(chunk);
    if (size <= maxBytes) return;
    request.pause();
    end(() => tooLarge(maxBytes));
  });
  request.on('end', () => {
    end(() => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  });
  request.on('error', (cause) => end(() => brokenOff(cause)));
  // Comes after each end too, when an error would be made for nothing.
  request.on('close', () => end(() => brokenOff(null)));
}

function brokenOff(cause: unknown): ApiError {
  return new ApiError('badRequest', 'The body broke off: send the whole of it.', { cause });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ApiError('badRequest', 'The body is not valid UTF-8: encode it as UTF-8.', { cause });
  }
}

function parseForm(text: string): Record<string, string> {
  if (text.split('&', FORM_FIELDS + 1).length > FORM_FIELDS) {
    throw new ApiError('badRequest', `The form has more than ${FORM_FIELDS} fields: send fewer.`);
  }
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) {
      throw new ApiError('badRequest', `The form field "${name}" is given twice: send it once.`);
    }
    if (name.includes('\0') || value.includes('\0')) {
      throw new ApiError('badRequest', 'The form has a NUL character: send text without it.');
    }
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
