import type { LoggedRequestDetails, OperationId } from '@servery/contract';
import { isUuid } from '@servery/support/ids.ts';
import type { DocumentPath } from '../../document/faults.ts';

/** A request and how it was answered, as the log keeps it. */
export type LoggedExchange = Pick<
  LoggedRequestDetails,
  'operation' | 'method' | 'path' | 'requestBody' | 'realAt' | 'durationMs' | 'explanation'
>;

/** Fields that are another text or number each time something is made, beside GUIDs. */
const fieldsMadeNew: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  'creditCards.authorize': ['authorizationCode'],
  'orders.place': ['displayNumber'],
  'backOffice.clients.create': ['clientId'],
  'backOffice.cardKeys.issue': ['keyId', 'publicKeyPem', 'publicKeyJwk'],
  'backOffice.configuration.publications.publish': ['number'],
  'backOffice.configuration.publications.rollBack': ['number'],
};

/** The log goes by the database's clock, and GUIDs by that of the machine. */
const TOLERANCE_MS = 10_000;

/** A value in one place of the response to a request. */
export interface AnsweredValue {
  readonly value: unknown;
  readonly by: LoggedExchange;
}

/** Whether the values differ only because the platform made something new for each request. */
export function isMadeNew(
  path: DocumentPath,
  before: AnsweredValue,
  after: AnsweredValue,
): boolean {
  const isMissing = [before, after].some(({ value }) => value === null || value === undefined);
  if (isMissing || isRepeat(after.by)) return false;
  const fields = fieldsMadeNew[after.by.operation as OperationId] ?? [];
  return path.some((step) => fields.includes(`${step}`)) || [before, after].every(isOwnGuid);
}

/** Also one that was answered from memory: nothing new was made. */
function isRepeat({ explanation }: LoggedExchange): boolean {
  return explanation !== null && (explanation.isRepeat || explanation.answeredFrom === 'MEMORY');
}

/** Whether the platform made the GUID for this request: new ones begin with their time (UUIDv7). */
function isOwnGuid({ value, by }: AnsweredValue): boolean {
  if (typeof value !== 'string' || !isUuid(value) || value[14] !== '7') return false;
  if (by.method === 'GET' || `${by.path} ${by.requestBody}`.includes(value)) return false;
  const madeMs = Number.parseInt(value.slice(0, 13).replace('-', ''), 16);
  const arrivedMs = Date.parse(by.realAt);
  const answeredMs = arrivedMs + by.durationMs;
  return madeMs >= arrivedMs - TOLERANCE_MS && madeMs <= answeredMs + TOLERANCE_MS;
}
