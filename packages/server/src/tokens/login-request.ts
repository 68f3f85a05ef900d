import { machineClientAccessType } from '@servery/contract';
import type { ClientCredentials } from '../clients/clients.ts';
import { ApiError, type Fault } from '../http/errors.ts';

/**
 * Reads the body of a login (AUTH-1). Throws ApiError `badRequest` that names every fault: a field that
 * is missing, not text or empty, and an access type that is not the brand's. No value is repeated.
 */
export function readLoginRequest(body: unknown, brand: string): ClientCredentials {
  const accessType = machineClientAccessType(brand);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError(
      'badRequest',
      'The body is not a JSON object: send {"clientId", "clientSecret", "userAccessType"}.',
    );
  }
  const fields = body as Readonly<Record<string, unknown>>;
  const faults: Fault[] = [];
  const clientId = readText(fields, 'clientId', faults);
  const clientSecret = readText(fields, 'clientSecret', faults);
  const given = readText(fields, 'userAccessType', faults);
  if (given !== '' && given !== accessType) {
    faults.push({
      where: 'userAccessType',
      message: `The userAccessType is not known: send ${accessType}.`,
    });
  }
  const [first] = faults;
  if (first) {
    const message = faults.length === 1 ? first.message : faultList(faults);
    throw new ApiError('badRequest', message, { faults });
  }
  return { clientId, clientSecret };
}

function readText(
  fields: Readonly<Record<string, unknown>>,
  name: string,
  faults: Fault[],
): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof value === 'string' && value !== '') return value;
  const fault =
    value === undefined || value === null
      ? `The ${name} is missing: send it as a text.`
      : value === ''
        ? `The ${name} is empty: send the one of your API account.`
        : `The ${name} is not a text: send it in quotation marks.`;
  faults.push({ where: name, message: fault });
  return '';
}

function faultList(faults: readonly Fault[]): string {
  return faults.map((fault) => fault.message).join(' ');
}
