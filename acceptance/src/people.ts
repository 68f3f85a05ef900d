import { createHmac, randomUUID } from 'node:crypto';
import type { Answer } from './answer.ts';
import type { DemoCallers } from './client.ts';

const STEP_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A Person as the tests read it. */
export interface Person {
  personGuid: string;
  email: string;
  name: string;
  hasTotp: boolean;
  roles: { roleGuid: string; role: string }[];
}

/** A person that a test made, with a link that nobody used. */
export interface InvitedPerson {
  readonly person: Person;
  readonly token: string;
}

/** A person that a test made, with what a browser would send of a session. */
export interface LoggedInPerson {
  readonly person: Person;
  readonly password: string;
  readonly sessionGuid: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Adds somebody who may look at the demo group, or has another role. */
export async function newPerson(callers: DemoCallers, role?: object): Promise<InvitedPerson> {
  const operator = await callers.as('operator');
  const { managementGroupGuid } = callers.platform.demo;
  const json = {
    email: `${randomUUID()}@ring.example`,
    name: 'Ring person',
    role: role ?? { role: 'READ_ONLY', managementGroupGuid },
  };
  const answer = await operator.call('backOffice.people.create', 200, { json });
  const { person, invitation } = answer.json as {
    person: Person;
    invitation: { token: string };
  };
  return { person, token: invitation.token };
}

/** Adds somebody, and uses the link. */
export async function loggedInPerson(callers: DemoCallers, role?: object): Promise<LoggedInPerson> {
  const { token } = await newPerson(callers, role);
  const password = `ring ${randomUUID()}`;
  const json = { token, name: 'Ring person', password };
  const answer = await callers.anonymous().call('backOffice.invitations.accept', 200, { json });
  return sessionOf(answer, password);
}

/** What a browser holds after an answer that begins a session. */
function sessionOf(answer: Answer, password: string): LoggedInPerson {
  const { person, sessionGuid, csrfToken } = answer.json as {
    person: Person;
    sessionGuid: string;
    csrfToken: string;
  };
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  return { person, password, sessionGuid, headers: { cookie, 'x-csrf-token': csrfToken } };
}

/** Begins with an authenticator app; gives the code that it shows now. */
export async function beginApp(
  callers: DemoCallers,
  { headers, password }: LoggedInPerson,
): Promise<string> {
  const options = { headers, json: { password } };
  const begun = await callers.anonymous().call('backOffice.me.totp.begin', 200, options);
  const date = Date.parse(String(begun.headers.date));
  return codeAt((begun.json as { secret: string }).secret, date);
}

/** The code of RFC 6238 at an instant, in epoch milliseconds, for a secret in base32. */
function codeAt(secret: string, atMs: number): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  const octets = bits.join('').match(/.{8}/g) ?? [];
  const key = Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / STEP_MS)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}
