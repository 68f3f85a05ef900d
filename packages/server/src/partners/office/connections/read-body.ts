import { parseGuid } from '@servery/support/ids.ts';
import { readKnownFields, readNeededWords, readOptionalWords } from '../../../http/body-fields.ts';
import { ApiError } from '../../../http/errors.ts';
import type { Fields } from '../../../http/fields.ts';
import type { Caller } from '../../../http/operation.ts';
import { readEmail } from '../../../text/email.ts';
import type { ConnectionDetails, Employee } from '../../connection-store.ts';

const REFERENCE_LENGTH = 200;
const REASON_LENGTH = 500;
const EMAIL_LENGTH = 254;
const nobody: Employee = { firstName: null, lastName: null, email: null, phone: null };

/** The partner to connect with, and what is said of the connection. */
export interface NewConnectionBody extends ConnectionDetails {
  readonly partnerGuid: string;
  readonly employee: Employee;
}

/** Reads the body that connects. Throws what `readKnownFields` throws. */
export function readNewConnection(body: unknown, caller: Caller): NewConnectionBody {
  return readKnownFields(body, (fields) => {
    const guid = parseGuid(
      fields.text('partnerGuid', (text) => (parseGuid(text) ? null : 'must be a GUID')),
    );
    const { externalGroupRef = null, externalRestaurantRef = null } = readReferences(fields);
    const employee = readEmployee(fields, caller);
    return { partnerGuid: guid ?? '', externalGroupRef, externalRestaurantRef, employee };
  });
}

/** Reads the body that edits: what is left out stays. Throws what `readKnownFields` throws. */
export function readConnectionEdit(
  body: unknown,
  caller: Caller,
): Partial<ConnectionDetails> & { readonly employee: Employee } {
  return readKnownFields(body, (fields) => ({
    ...readReferences(fields),
    employee: readEmployee(fields, caller),
  }));
}

/** Reads the body that disconnects. Throws what `readKnownFields` throws. */
export function readEnding(
  body: unknown,
  caller: Caller,
): { readonly reason: string; readonly employee: Employee } {
  return readKnownFields(body, (fields) => ({
    reason: readNeededWords(fields, 'reason', REASON_LENGTH),
    employee: readEmployee(fields, caller),
  }));
}

/** True or false by the state that is asked for, null for both. Throws ApiError `badRequest`. */
export function readState(text: string | undefined): boolean | null {
  if (text === undefined) return null;
  if (text === 'CONNECTED' || text === 'DISCONNECTED') return text === 'CONNECTED';
  throw new ApiError('badRequest', 'state must be CONNECTED or DISCONNECTED.');
}

function readReferences(fields: Fields): Partial<ConnectionDetails> {
  const externalGroupRef = readOptionalWords(fields, 'externalGroupRef', REFERENCE_LENGTH);
  const externalRestaurantRef = readOptionalWords(
    fields,
    'externalRestaurantRef',
    REFERENCE_LENGTH,
  );
  return {
    ...(externalGroupRef === undefined ? {} : { externalGroupRef }),
    ...(externalRestaurantRef === undefined ? {} : { externalRestaurantRef }),
  };
}

/** A person acts for himself; an account says for whom, or for nobody. */
function readEmployee(fields: Fields, caller: Caller): Employee {
  const said = fields.optionalObject('employee');
  if (caller.type === 'PERSON') {
    if (said) fields.fault('employee', 'must be left out by a person, who is the one');
    return { ...nobody, ...namesOf(caller.name), email: caller.email };
  }
  if (!said) return nobody;
  const words = (name: string, atMost: number) => readOptionalWords(said, name, atMost) ?? null;
  return {
    firstName: words('firstName', 100),
    lastName: words('lastName', 100),
    email: readEmployeeEmail(said),
    phone: words('phone', 50),
  };
}

/** Partners write to it, so it must be one. It stays as it was written: it opens nothing here. */
function readEmployeeEmail(employee: Fields): string | null {
  const text = readOptionalWords(employee, 'email', EMAIL_LENGTH) ?? null;
  if (text !== null && text !== '' && readEmail(text) === null) {
    employee.fault('email', 'must be an e-mail address such as ada@example.com');
  }
  return text;
}

/** The last word of a name is taken for the last name: partners are told the two apart. */
function namesOf(name: string): Pick<Employee, 'firstName' | 'lastName'> {
  const words = name.trim().split(/\s+/);
  const lastName = words.length > 1 ? (words.pop() ?? null) : null;
  return { firstName: words.join(' '), lastName };
}
