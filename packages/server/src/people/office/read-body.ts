import { type RoleName, roleNames } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { readKnownFields, readNeededWords, readOptionalWords } from '../../http/body-fields.ts';
import type { Fields, TextRule } from '../../http/fields.ts';
import type { PersonInput } from '../add-person.ts';
import type { PersonEdit } from '../edit-person.ts';
import { readEmail } from '../../text/email.ts';
import type { Acceptance } from '../invitations.ts';
import type { LogInRequest } from '../log-in.ts';
import { passwordFault } from '../password.ts';
import type { RoleInput } from '../roles.ts';

const NAME_LENGTH = 100;
const CODE_LENGTH = 40;
/** Far more than a password may have: what is longer need not be hashed to be wrong. */
const PASSWORD_LENGTH = 1_000;
const EMAIL_LENGTH = 254;
const TOKEN_LENGTH = 200;

/** Reads who is added. Throws what `readKnownFields` throws. */
export function readCreatePerson(body: unknown): PersonInput {
  return readKnownFields(body, (fields) => ({
    email: readAddress(fields),
    name: readNeededWords(fields, 'name', NAME_LENGTH),
    role: readRole(fields.object('role')),
    takesExisting: fields.lacks('existingAccount') ? false : fields.flag('existingAccount'),
  }));
}

/** Reads what is changed about a person; what is left out is null. Throws as `readCreatePerson`. */
export function readUpdatePerson(body: unknown): PersonEdit {
  return readKnownFields(body, (fields) => {
    const name = readOptionalWords(fields, 'name', NAME_LENGTH);
    if (name === null) fields.fault('name', 'cannot be cleared');
    return {
      name: name ?? null,
      email: fields.lacks('email') ? null : readAddress(fields),
    };
  });
}

/** Reads which role is given, and where. Throws as `readCreatePerson`. */
export function readGiveRole(body: unknown): RoleInput {
  return readKnownFields(body, readRole);
}

/** Reads what a person logs in with. Throws as `readCreatePerson`. */
export function readLogIn(body: unknown): LogInRequest {
  // Whoever sends the code of the app under another name would be told that it is missing.
  return readKnownFields(body, (fields) => ({
    email: fields.text('email', atMost(EMAIL_LENGTH)),
    password: fields.text('password', atMost(PASSWORD_LENGTH)),
    code: readCode(fields, 'totpCode'),
  }));
}

/** Reads the token of a link. Throws as `readCreatePerson`. */
export function readToken(body: unknown): string {
  return readKnownFields(body, (fields) => fields.text('token', atMost(TOKEN_LENGTH)));
}

/**
 * Reads how a link is used. That the password is too weak for anybody is told with all else that is
 * wrong. Throws as `readCreatePerson`.
 */
export function readAcceptance(body: unknown): Acceptance {
  return readKnownFields(body, (fields) => {
    const email = fields.optionalText('email') === null ? null : readAddress(fields);
    return {
      token: fields.text('token', atMost(TOKEN_LENGTH)),
      name: readNeededWords(fields, 'name', NAME_LENGTH),
      password: fields.text('password', (text) => newPasswordFault(text, email ?? '')),
      email,
      code: readCode(fields, 'totpCode'),
    };
  });
}

function newPasswordFault(password: string, email: string): string | null {
  // What was cut is too long still.
  const fault = passwordFault(password.slice(0, PASSWORD_LENGTH), email);
  return fault && `will not do: ${fault}`;
}

/** Reads the present password and the next one. Throws as `readCreatePerson`. */
export function readChangePassword(body: unknown): { present: string; next: string } {
  return readKnownFields(body, (fields) => ({
    present: fields.text('currentPassword', atMost(PASSWORD_LENGTH)),
    next: fields.text('newPassword', atMost(PASSWORD_LENGTH)),
  }));
}

/** Reads the first code of an app, and the password. Throws as `readCreatePerson`. */
export function readFirstCode(body: unknown): { code: string; password: string } {
  return readKnownFields(body, (fields) => ({
    code: fields.text('code', atMost(CODE_LENGTH)),
    password: fields.text('password', atMost(PASSWORD_LENGTH)),
  }));
}

/** Reads the present password. Throws as `readCreatePerson`. */
export function readPassword(body: unknown): string {
  return readKnownFields(body, (fields) => fields.text('password', atMost(PASSWORD_LENGTH)));
}

function readRole(fields: Fields): RoleInput {
  const [first, ...others] = roleNames;
  const role: RoleName = fields.choice('role', [first, ...others]);
  return {
    role,
    managementGroupGuid: readPlace(fields, 'managementGroupGuid'),
    restaurantGuid: readPlace(fields, 'restaurantGuid'),
    partnerGuid: readPlace(fields, 'partnerGuid'),
  };
}

function readPlace(fields: Fields, name: string): string | null {
  const text = fields.optionalText(name);
  if (text === null) return null;
  const guid = parseGuid(text);
  if (guid === null) fields.fault(name, 'must be a GUID');
  return guid;
}

function readAddress(fields: Fields): string {
  const email = readEmail(fields.text('email'));
  if (email === null && !fields.lacks('email')) {
    fields.fault('email', 'must be an e-mail address such as ada@example.com');
  }
  return email ?? '';
}

function readCode(fields: Fields, name: string): string | null {
  const code = fields.optionalText(name);
  if (code !== null && code.length > CODE_LENGTH) {
    fields.fault(name, `must have at most ${CODE_LENGTH} characters`);
  }
  return code === '' ? null : code;
}

function atMost(length: number): TextRule {
  return (text) =>
    text !== '' && text.length <= length ? null : `must have 1 to ${length} characters`;
}
