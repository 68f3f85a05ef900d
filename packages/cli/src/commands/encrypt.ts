import { readFile } from 'node:fs/promises';
import {
  brandedHeaders,
  type CardEncryptionKey,
  type PaymentAuthorization,
} from '@servery/contract';
import { settings } from '@servery/server/config/settings.ts';
import { addressRule } from '@servery/server/payments/authorize/request-rules.ts';
import { algorithmOfKeyId } from '@servery/server/payments/cards/card-key-algorithm.ts';
import { encryptCardData } from '@servery/server/payments/cards/encrypt-card-data.ts';
import type { TestCard } from '@servery/server/payments/cards/test-cards.ts';
import { machineClock } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { type Remote, segment } from '../back-office.ts';
import { type Known, platformUrl, readKnown, resolveRestaurant } from '../connection.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fileFailure } from '../files.ts';
import { openRemote, type RemoteDeps, type RemoteFlags, showJson } from '../session.ts';
import { findTestCard } from '../test-card.ts';

/** The options of `servery encrypt`. Amounts are in currency units, as they are typed. */
export interface EncryptFlags extends Omit<RemoteFlags, 'json'> {
  readonly card: string;
  readonly amount: string;
  readonly tip: string;
  readonly restaurant?: string;
  /** Where the guest pays from. */
  readonly originIp?: string;
  readonly key?: string;
  /** A file with a public key: PEM, a JWK, or the list of card keys or an element of it. */
  readonly publicKey?: string;
  readonly curl?: boolean;
}

/** What is encrypted with. */
type PublicKey = Pick<CardEncryptionKey, 'keyId'> & {
  readonly material: Parameters<typeof encryptCardData>[0];
};

const POSTAL_CODE = '60607';
const COUNTRY = 'USA';
/** An address of documentation (RFC 5737), nobody's: only a sandbox takes it (PAY-10). */
const ADDRESS_IN_SANDBOX = '203.0.113.7';

/**
 * `servery encrypt`: a complete body for the PUT of a payment with a test card, or with `--curl`
 * the whole command that sends it. Throws CommandFailure, also for what a platform would refuse.
 */
export async function runEncrypt(deps: RemoteDeps, flags: EncryptFlags): Promise<void> {
  const card = findTestCard(flags.card);
  const amount = amountOf('--amount', flags.amount);
  const tipAmount = amountOf('--tip', flags.tip);
  if (amount + tipAmount === 0) throw invalidUsage('--amount and --tip together are zero.');
  const known = await readKnown(deps.env, flags);
  const place = flags.curl ? placeOf(deps, flags, known) : null;
  const originIPAddr = originOf(flags, known);
  const remote = remoteOf(deps, flags, known);
  const key = await publicKeyOf(deps, flags, known, remote);
  const now = new Date(await nowMs(deps, remote));
  const body = await requestBody(card, key, { amount, tipAmount, now, originIPAddr });
  if (!place) return showJson(deps, body);
  const header = brandedHeaders(brandOf(deps, known, remote)).restaurantExternalId;
  deps.terminal.out.write(curlCommand({ ...place, header }, body));
}

function amountOf(flag: string, text: string): number {
  if (/^\d{1,10}(\.\d{1,4})?$/.test(text)) return Number(text);
  throw invalidUsage(`${flag} must be an amount in currency units, for example 12.50.`);
}

/**
 * Where the guest pays from. Nobody knows here whether a platform is a sandbox, but for the one of
 * the data folder; every other one gets an address that production takes too.
 */
function originOf({ originIp }: EncryptFlags, { demo }: Known): string {
  const isOwnSandbox = demo !== null;
  if (originIp === undefined && isOwnSandbox) return ADDRESS_IN_SANDBOX;
  const example = 'for example --origin-ip 192.0.32.10';
  if (originIp === undefined) {
    throw invalidUsage(
      'which address does the guest pay from? Production takes public addresses only (PAY-10). ' +
        `Give one with --origin-ip, ${example}. ` +
        'An address is made up only for the sandbox in the data directory.',
    );
  }
  const fault = addressRule(!isOwnSandbox)(originIp);
  if (fault === null) return originIp;
  throw invalidUsage(`--origin-ip ${JSON.stringify(originIp)} ${fault} (PAY-10): ${example}.`);
}

/** The platform as the account that pays, or the reason why there is none to ask. */
function remoteOf(deps: RemoteDeps, flags: EncryptFlags, known: Known): Remote | CommandFailure {
  try {
    return openRemote(deps, flags, known, 'partner');
  } catch (error) {
    if (error instanceof CommandFailure) return error;
    throw error;
  }
}

async function publicKeyOf(
  deps: RemoteDeps,
  { key: keyId, publicKey: file }: EncryptFlags,
  known: Known,
  remote: Remote | CommandFailure,
): Promise<PublicKey> {
  if (file !== undefined) return readPublicKey(file, keyId);
  const keys = await listPublicKeys(deps, known, remote);
  const found = keyId === undefined ? keys[0] : keys.find((key) => key.keyId === keyId);
  if (found) return { keyId: found.keyId, material: found.publicKeyPem };
  throw invalidUsage(
    keyId === undefined
      ? 'the client has no active card key: see "servery keys issue".'
      : `the client has no active card key ${keyId}; it has ${
          keys.map((key) => key.keyId).join(', ') || 'none'
        }.`,
  );
}

/** From the platform; while it is away, as the sandbox wrote them down at its start. */
async function listPublicKeys(
  { terminal }: RemoteDeps,
  { demo }: Known,
  remote: Remote | CommandFailure,
): Promise<readonly CardEncryptionKey[]> {
  if (remote instanceof CommandFailure) throw remote;
  try {
    return await remote.get<CardEncryptionKey[]>('/platform/v1/cardEncryptionKeys');
  } catch (error) {
    const isAway = error instanceof CommandFailure && error.exitCode === exitCodes.failure;
    const own = Object.values(demo?.clients ?? {}).find(
      (client) => client.clientId === remote.clientId,
    );
    if (!isAway || !own) throw error;
    terminal.err.write('The platform is away: the card key is the one in demo.json.\n');
    return own.cardKeys;
  }
}

async function readPublicKey(file: string, keyId: string | undefined): Promise<PublicKey> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileFailure(file, 'read', error);
  });
  const json = /^\s*[[{]/.test(text) ? chooseKey(file, parseKey(file, text), keyId) : null;
  const id = keyId ?? json?.keyId ?? json?.kid;
  if (typeof id !== 'string' || algorithmOfKeyId(id) === null) {
    throw invalidUsage('whose key is it? Say its keyId, <ALGORITHM>::<identifier>, with --key.');
  }
  if (!json) return { keyId: id, material: text };
  const material = json.publicKeyPem ?? json.publicKeyJwk ?? json;
  return { keyId: id, material: material as PublicKey['material'] };
}

type KeyFile = Readonly<Record<string, unknown>>;

function parseKey(file: string, text: string): KeyFile | readonly KeyFile[] {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidUsage(`${file} is neither PEM nor JSON.`);
  }
}

/** Of a list of card keys, as the platform gives it: the one that is named, or the first. */
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
    `${file} has no card key${keyId === undefined ? '' : ` ${keyId}`}; it has ` +
      `${ids.join(', ') || 'none'}.`,
  );
}

/** By the environment's clock; by the machine's where no environment can be asked. */
async function nowMs({ terminal }: RemoteDeps, remote: Remote | CommandFailure): Promise<number> {
  if (!(remote instanceof CommandFailure)) {
    try {
      return await remote.nowMs();
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.exitCode !== exitCodes.failure) throw error;
    }
  }
  terminal.err.write("The time is the machine's: no platform tells the time of its environment.\n");
  return machineClock.nowMs();
}

async function requestBody(
  card: TestCard,
  { keyId, material }: PublicKey,
  paid: { amount: number; tipAmount: number; now: Date; originIPAddr: string },
): Promise<PaymentAuthorization> {
  const { amount, tipAmount, now, originIPAddr } = paid;
  const { number: cardNumber, cvvLength } = card;
  const cvv = '1234'.slice(0, cvvLength);
  const expiry = { expMonth: '12', expYear: '39' };
  const clearText = { cardNumber, cvv, ...expiry, zipCode: POSTAL_CODE, country: COUNTRY };
  const encryptedCardData = await encryptCardData(material, keyId, clearText).catch((error) => {
    throw invalidUsage(`the public key does not fit ${keyId}: ${messageOf(error)}`);
  });
  return {
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
    encryptedCardData: encryptedCardData as string,
    keyId,
    amount,
    tipAmount,
    requestMetadata: {
      partnerServiceInfo: { instanceId: 'servery-cli' },
      localTransactionDate: now.toISOString(),
      originIPAddr,
      cardFirst6: cardNumber.slice(0, 6),
      cardLast4: cardNumber.slice(-4),
      billingAddress: { postalCode: POSTAL_CODE, country: COUNTRY },
      guestIdentifier: 'guest-1',
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Where the payment goes to. */
interface Place {
  readonly baseUrl: string;
  readonly restaurant: string;
}

function placeOf({ env }: RemoteDeps, flags: EncryptFlags, known: Known): Place {
  return {
    baseUrl: platformUrl(env, flags, known),
    restaurant: resolveRestaurant(flags.restaurant, known.demo),
  };
}

/** The brand in the name of the header: as it is set, else as the platform answered. */
function brandOf({ env }: RemoteDeps, { demo }: Known, remote: Remote | CommandFailure): string {
  const said = env[settings.brand.env] || demo?.brand;
  if (said || remote instanceof CommandFailure) return said || settings.brand.fallback;
  const answered = remote.brand();
  return answered.slice(0, 1).toUpperCase() + answered.slice(1);
}

function curlCommand(
  { baseUrl, restaurant, header }: Place & { readonly header: string },
  body: PaymentAuthorization,
): string {
  const path = `/ccpartner/v1/merchants/${segment(restaurant)}/payments/${newRandomId()}`;
  return [
    `curl -sS -X PUT ${quoted(baseUrl + path)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    `-H ${quoted(`${header}: ${restaurant}`)}`,
    `-H 'Content-Type: application/json'`,
    `--data-binary ${quoted(JSON.stringify(body))}\n`,
  ].join(' \\\n  ');
}

/** One word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
