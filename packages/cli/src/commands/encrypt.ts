import { NoAnswer, NotAPlatform, PlatformFailed } from '@servery/client/back-office';
import type { CardEncryptionKey } from '@servery/contract';
import { settings } from '@servery/server';
import { machineClock } from '@servery/support/clock.ts';
import { type AnyCommand, type Call, command, type Values } from '../command.ts';
import { platformUrl } from '../connection.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { readBytes } from '../files.ts';
import { firstRestaurant, oneOf, RESTAURANT } from '../find/find.ts';
import { amount as amountOf } from '../readers.ts';
import { failureOf } from '../refusals.ts';
import { openSession } from '../session.ts';
import { required, restaurantNames, text, toggle } from '../values.ts';
import { nowMs } from '../when.ts';
import { findTestCard } from './cards.ts';
import type { PublicKey } from './encrypt-work.ts';

const options = {
  card: required(text('<number-or-name>', 'test card: see servery cards')),
  amount: required(text('<amount>', 'in currency units, for example 12.50')),
  tip: {
    ...{ placeholder: '<amount>', help: 'in currency units', fallback: '0' },
    type: () => '',
  },
  restaurant: {
    ...text('<restaurant>', 'for --curl: name or GUID (default: the first in the sandbox)'),
    completions: restaurantNames,
  },
  originIp: text('<address>', 'address of the guest (default: made up for your own sandbox)'),
  key: text('<key-id>', 'card key (default: the newest active one of the client)'),
  publicKey: text('<file>', 'a public key: PEM (with --key), or JSON'),
  curl: toggle('print the whole curl command, with a new paymentUuid'),
};
type EncryptCall = Call<Values, typeof options>;
type Session = Awaited<ReturnType<typeof openSession>>;

type KeyFile = Readonly<Record<string, unknown>>;

const load = () => import('./encrypt-work.ts');

export const encrypt: AnyCommand = command({
  name: 'encrypt',
  summary: 'Create the body of an authorization with a test card',
  examples: [
    'servery encrypt --card 4111111111111111 --amount 12.50',
    'servery encrypt --card 4111111111111111 --amount 9 --origin-ip 192.0.32.10',
  ],
  details: () => 'The curl command takes the access token from $TOKEN.',
  options,
  check: ({ options: { card, amount, tip } }) => {
    findTestCard(card);
    if (amountOf(amount, '--amount') + amountOf(tip, '--tip') > 0) return;
    throw invalidUsage('--amount and --tip together are zero.');
  },
  local: async (call) => {
    const { options: own, env, flags } = call;
    const { readKnown } = await import('../connection.ts');
    const known = await readKnown(env, flags);
    const place = own.curl
      ? {
          baseUrl: platformUrl(env, flags, known),
          restaurant: await restaurantOf(own.restaurant, known.demo),
        }
      : null;
    const originIPAddr = await originOf(own.originIp, known.demo !== null);
    const session = await openSession(call, flags, 'partner').catch((error: unknown) => {
      if (error instanceof CommandFailure) return error;
      throw error;
    });
    try {
      const key = await publicKeyOf(call, session);
      const body = await (await load()).authorizationOf(findTestCard(own.card), key, {
        amount: amountOf(own.amount, '--amount'),
        tipAmount: amountOf(own.tip, '--tip'),
        now: new Date(await presentMs(call, session)),
        originIPAddr,
      });
      if (!place) return { json: body, text: () => `${JSON.stringify(body, null, 2)}\n` };
      const brand = await brandOf(call, known.demo?.brand, session);
      const header = `${brand}-Restaurant-External-ID`;
      const command = (await load()).curlCommand({ ...place, header }, body);
      return { json: body, text: () => command };
    } catch (error) {
      if (session instanceof CommandFailure) throw error;
      throw failureOf(error, session);
    }
  },
});

/** A restaurant for a command that is run later: only the sandbox in the data directory knows names. */
async function restaurantOf(written: string | undefined, demo: Session['demo']): Promise<string> {
  if (written === undefined) return firstRestaurant({ demo });
  return await oneOf(RESTAURANT, written, async () => demo?.restaurants ?? []);
}

/** An address is made up only for the sandbox in the data directory: production refuses it (PAY-10). */
async function originOf(originIp: string | undefined, isOwnSandbox: boolean): Promise<string> {
  if (originIp === undefined && isOwnSandbox) return (await load()).ADDRESS_IN_SANDBOX;
  const example = 'for example --origin-ip 192.0.32.10';
  if (originIp === undefined) {
    throw invalidUsage(
      'which address does the guest pay from? Production accepts only public addresses (PAY-10). ' +
        `Give one with --origin-ip, ${example}. ` +
        'An address is made up only for the sandbox in the data directory.',
    );
  }
  const fault = (await load()).addressFault(originIp, !isOwnSandbox);
  if (fault === null) return originIp;
  throw invalidUsage(`--origin-ip ${JSON.stringify(originIp)} ${fault} (PAY-10): ${example}.`);
}

async function publicKeyOf(
  call: EncryptCall,
  session: Session | CommandFailure,
): Promise<PublicKey> {
  const { key: keyId, publicKey: file } = call.options;
  if (file !== undefined) return await readPublicKey(file, keyId);
  if (session instanceof CommandFailure) throw session;
  const keys = await publicKeys(call, session);
  const found = keyId === undefined ? keys[0] : keys.find((key) => key.keyId === keyId);
  if (found) return { keyId: found.keyId, material: found.publicKeyPem };
  throw invalidUsage(
    keyId === undefined
      ? 'the client has no active card key: see "servery keys issue".'
      : `the client has no active card key ${keyId}. It has ${
          keys.map((key) => key.keyId).join(', ') || 'none'
        }.`,
  );
}

/** From the platform; while that is down, as the sandbox wrote them at its start. */
async function publicKeys(
  { terminal }: EncryptCall,
  { client, demo, connection }: Session,
): Promise<readonly CardEncryptionKey[]> {
  try {
    return await client.call('platform.cardEncryptionKeys.list');
  } catch (error) {
    const { credentials } = connection;
    const own = Object.values(demo?.clients ?? {}).find(
      ({ clientId }) => 'clientId' in credentials && clientId === credentials.clientId,
    );
    if (!isDown(error) || !own) throw error;
    terminal.err.write('The platform is down. The card key is the one in demo.json.\n');
    return own.cardKeys;
  }
}

function isDown(error: unknown): boolean {
  return [NoAnswer, NotAPlatform, PlatformFailed].some((kind) => error instanceof kind);
}

async function readPublicKey(file: string, keyId: string | undefined): Promise<PublicKey> {
  const written = (await readBytes(file)).toString();
  const json = /^\s*[[{]/.test(written) ? chooseKey(file, parseKey(file, written), keyId) : null;
  const id = keyId ?? json?.keyId ?? json?.kid;
  if (typeof id !== 'string' || (await load()).algorithmOfKeyId(id) === null) {
    throw invalidUsage('which key is it? Name its ID, <ALGORITHM>::<identifier>, with --key.');
  }
  if (!json) return { keyId: id, material: written };
  const material = json.publicKeyPem ?? json.publicKeyJwk ?? json;
  return { keyId: id, material: material as PublicKey['material'] };
}

function parseKey(file: string, written: string): KeyFile | readonly KeyFile[] {
  try {
    return JSON.parse(written);
  } catch {
    throw invalidUsage(`${file} is neither PEM nor JSON.`);
  }
}

/** Of a list of card keys, as the platform answers it: the one that is named, or the first. */
function chooseKey(
  file: string,
  keys: KeyFile | readonly KeyFile[],
  keyId: string | undefined,
): KeyFile {
  if (!Array.isArray(keys)) return keys as KeyFile;
  const found = keyId === undefined ? keys[0] : keys.find((key) => key?.keyId === keyId);
  if (typeof found === 'object' && found !== null) return found;
  const ids = keys.map((key) => key?.keyId).filter((id) => typeof id === 'string');
  throw invalidUsage(
    `${file} has no card key${keyId === undefined ? '' : ` ${keyId}`}. It has ` +
      `${ids.join(', ') || 'none'}.`,
  );
}

/** By the environment's clock; by the machine's where no environment can be asked. */
async function presentMs(
  { terminal }: EncryptCall,
  session: Session | CommandFailure,
): Promise<number> {
  if (!(session instanceof CommandFailure)) {
    try {
      return await nowMs(session);
    } catch (error) {
      const isUnknown = error instanceof CommandFailure && error.exitCode === exitCodes.failure;
      if (!isDown(error) && !isUnknown) throw error;
    }
  }
  terminal.err.write('The time is that of this machine: no platform told the time.\n');
  return machineClock.nowMs();
}

/** The brand in the name of the header: as it is set, else as the platform answered. */
async function brandOf(
  { env }: EncryptCall,
  known: string | undefined,
  session: Session | CommandFailure,
): Promise<string> {
  const own = env[settings.brand.env] || known;
  if (own || session instanceof CommandFailure) return own || settings.brand.fallback;
  const { brand } = session.client;
  return brand.slice(0, 1).toUpperCase() + brand.slice(1);
}
