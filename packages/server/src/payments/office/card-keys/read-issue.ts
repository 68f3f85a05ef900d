import { ApiError } from '../../../http/errors.ts';
import { Fields, Findings, isJsonObject } from '../../../http/fields.ts';
import { parseInstant } from '../../../text/instant.ts';
import { cardKeyAlgorithms } from '../../cards/card-key-algorithm.ts';
import type { CardKeyRequest } from '../../cards/card-keys.ts';

/**
 * Reads the body that asks for a card key of a client. Throws ApiError `badRequest` when the
 * algorithm is missing, else `unprocessable` when a field is wrong; its faults list all of them.
 */
export function readIssue(clientId: string, body: unknown, nowMs: number): CardKeyRequest {
  const findings = new Findings();
  if (!isJsonObject(body)) {
    throw new ApiError('unprocessable', 'The body must be a JSON object: send {"algorithm"}.');
  }
  const fields = new Fields(body, '', findings);
  const request: CardKeyRequest = {
    clientId,
    algorithm: fields.choice('algorithm', cardKeyAlgorithms),
    legacy: fields.lacks('legacy') ? false : fields.flag('legacy'),
    state: fields.lacks('state') ? 'ACTIVE' : fields.choice('state', ['ACTIVE', 'PENDING']),
    notAfterMs: readNotAfter(fields, nowMs),
  };
  if (request.algorithm === 'RSA-OAEP-SHA1' && !request.legacy) {
    fields.fault('algorithm', 'RSA-OAEP-SHA1 is deprecated: only a key with legacy true may be it');
  }
  const { missing, invalid } = findings;
  const faults = [...missing, ...invalid];
  if (faults.length === 0) return request;
  const reasons = faults.map(({ where, message }) => `${where} ${message}`).join('; ');
  throw new ApiError(missing.length > 0 ? 'badRequest' : 'unprocessable', `${reasons}.`, {
    faults,
  });
}

function readNotAfter(fields: Fields, nowMs: number): number | null {
  const text = fields.optionalText('notAfter');
  if (text === null) return null;
  const instantMs = parseInstant(text);
  if (instantMs === null) {
    fields.fault('notAfter', 'must be an instant such as 2027-01-31T00:00:00.000Z');
  } else if (instantMs <= nowMs) {
    fields.fault('notAfter', 'must be in the future');
  }
  return instantMs;
}
