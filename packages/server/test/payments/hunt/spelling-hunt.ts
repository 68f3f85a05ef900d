import { randomInt } from 'node:crypto';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import { findLedgerHolder } from '@servery/card-simulator/ledger-lock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { backUp } from '../../database/backup-file.ts';
import { cardNumberOf } from '../card-number.ts';
import { readAllText } from '../fixture-store.ts';
import { openSender, type Sender } from './canaries.ts';
import { filesBelow, logIn, type SpawnedPlatform, spawnPlatform } from './spawned-platform.ts';
import { type Spelling, spellings } from './spellings.ts';
import { type FieldPath, textFields, withText } from './text-fields.ts';

/** How long a hunt is. */
export interface SpellingHunt {
  readonly spellings: number;
  /** Every spelling in every field; else each spelling in one field, the next one in the next. */
  readonly isWhole: boolean;
}

/** What was paid. */
export interface PaidSpellings {
  readonly payments: number;
  readonly fields: number;
  /** How many payments were answered with each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What each number is called in the report. */
  readonly numbers: ReadonlyMap<string, string>;
}

/** What came of it. */
export interface SpellingReport extends PaidSpellings {
  readonly looked: readonly string[];
  readonly found: readonly { readonly place: string; readonly what: string }[];
}

/** One number in one spelling in one field. */
interface Case {
  readonly spelling: Spelling;
  readonly path: FieldPath;
}

/** Fields of no schema, which the log of requests knows too. */
const besides: readonly FieldPath[] = [['(a field that nobody knows)'], ['(user-agent)']];
const LANES = 4;
/** What was sent is looked for in pieces: an end of it may have been cut off. */
const PIECE = 18;
const SHORTEST_PIECE = 10;

/** Pays in many spellings, and looks for all of them wherever the platform writes. */
export async function huntSpellings(
  hunt: SpellingHunt,
  tell: (line: string) => void,
): Promise<SpellingReport> {
  const platform = await spawnPlatform([
    ...['--log-level', 'debug', '--profile', 'demo', '--kind', 'sandbox'],
    ...['--rate-limit-per-second', '100000', '--rate-limit-per-quarter-hour', '10000000'],
  ]);
  try {
    const sender = await openSender(platform);
    const paid = await paySpellings(sender, hunt, tell);
    return { ...paid, ...(await lookEverywhere(platform, sender, paid.numbers)) };
  } finally {
    await platform.remove();
  }
}

/** Pays with a new card for each spelling and field, whose number stands there in that spelling. */
export async function paySpellings(
  sender: Sender,
  hunt: SpellingHunt,
  tell: (line: string) => void = () => {},
): Promise<PaidSpellings> {
  const fields = [...textFields(), ...besides];
  const all = spellings(hunt.spellings);
  const offset = randomInt(fields.length);
  const cases = all.flatMap((spelling, at): Case[] => {
    const path = fields[(at + offset) % fields.length] ?? [];
    return hunt.isWhole ? fields.map((each) => ({ spelling, path: each })) : [{ spelling, path }];
  });
  const numbers = new Map<string, string>();
  const statuses = new Map<number, number>();
  await sendAsTrace(sender);
  let sent = 0;
  const shootAll = async (lane: number) => {
    for (let at = lane; at < cases.length; at += LANES) {
      const status = await pay(sender, numbers, cases[at] as Case);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      sent += 1;
      if (sent % 500 === 0) tell(`${sent} of ${cases.length} payments`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, lane) => shootAll(lane)));
  return { payments: cases.length, fields: fields.length, statuses, numbers };
}

/** An optional field is changed where its object is whole. */
const metadata = {
  deliveryAddress: {
    ...{ address1: '1 Main St', city: 'Boston', region: 'MA', postalCode: '02110' },
    country: 'USA',
  },
};

/** A trace id has just as many hexadecimal digits as the codes of a number have. */
async function sendAsTrace(sender: Sender): Promise<void> {
  const canary = sender.canary('4');
  const traceId = Buffer.from(canary.cardNumber).toString('hex');
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  await sender.put(await sender.body(canary), newRandomId(), { traceparent });
}

/** Sends one payment; gives the status of the answer. */
async function pay(
  sender: Sender,
  numbers: Map<string, string>,
  { spelling, path }: Case,
): Promise<number> {
  const canary = sender.canary('4');
  const written = spelling.write(canary.cardNumber);
  const name = `${canary.cardNumber} in ${path.join('.')}: ${spelling.name}`;
  numbers.set(canary.cardNumber, name);
  const own = changingPart(written, spelling.write(cardNumberOf('4')));
  for (const piece of [own.slice(0, PIECE), own.slice(-PIECE)]) {
    if (piece.length >= SHORTEST_PIECE) sender.search.addPiece(name, piece.join(''));
  }
  const body = await sender.body(canary, { metadata });
  if (path === besides[0]) return (await sender.put({ ...body, [written]: written })).status;
  if (path !== besides[1]) return (await sender.put(withText(body, path, written))).status;
  const userAgent = written.replaceAll(/[^\t -~]/gu, encodeURIComponent);
  return (await sender.put(body, newRandomId(), { 'user-agent': userAgent.trim() })).status;
}

/** The symbols of a text in which it differs from another one that is written in the same way. */
function changingPart(text: string, other: string): string[] {
  const [own, others] = [[...text], [...other]];
  const from = own.findIndex((symbol, at) => symbol !== others[at]);
  let behind = 0;
  while (own.at(-1 - behind) === others.at(-1 - behind)) behind += 1;
  return own.slice(from, own.length - behind);
}

async function lookEverywhere(
  platform: SpawnedPlatform,
  sender: Sender,
  numbers: PaidSpellings['numbers'],
) {
  const looked = new Set<string>();
  const found: { place: string; what: string }[] = [];
  const look = (place: string, bytes: Buffer, isText: boolean) => {
    looked.add(place);
    const names = sender.search.findIn(bytes);
    if (isText) names.push(...numbersIn(bytes.toString(), numbers));
    found.push(...[...new Set(names)].map((what) => ({ place, what })));
  };
  const accessToken = await logIn(platform, platform.demo.clients.operator);
  const headers = { authorization: `Bearer ${accessToken}` };
  for (const path of ['metrics', 'payments?pageSize=100', 'alarms?pageSize=100', 'requests']) {
    const { text } = await sender.send(`/backoffice/v1/${path}`, { headers });
    look(`GET ${path}`, Buffer.from(text), true);
  }
  const holder = await findLedgerHolder(simulatorLedgerFile(platform.dataDir));
  const ledger = await (await fetch(`${holder?.url}/ledger`)).text();
  look('the ledger of the simulator', Buffer.from(ledger), true);
  // The server writes what its log still has to write when it stops.
  await platform.endServer();
  look('the output', Buffer.from(platform.output()), true);
  look('the tables', Buffer.from(await readAllText(platform.database.sql)), true);
  look('a backup', await backUp(platform.databaseUrl), true);
  look('the answers', Buffer.from(sender.received.map(withoutTrace).join('\n')), true);
  await platform.database.sql.unsafe('checkpoint');
  await platform.end();
  for await (const [file, bytes] of filesBelow(platform.dataDir)) {
    const place = ['pg_wal', 'base'].find((folder) => file.includes(`/${folder}/`));
    look(`the files${place ? ` of ${place}` : ''}`, bytes, false);
  }
  return { looked: [...looked], found };
}

/** The trace goes on in the answer, as the sender has begun it. */
export function withoutTrace(answer: string): string {
  return answer.replace(/\["traceparent","[^"]*"\]/, '');
}

/** The digits of all scripts that the library of formats for people knows. */
const digits = new Map(
  Intl.supportedValuesOf('numberingSystem')
    .map((system) => new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }))
    .flatMap((format) => [...format.format(9_876_543_210)])
    .map((symbol, at) => [symbol, String(9 - (at % 10))] as const),
);

const anyDigit = new RegExp(`[${[...digits.keys()].join('')}]`, 'gu');

/** The names of all numbers whose digits stand in a text one after the other. */
export function numbersIn(text: string, numbers: PaidSpellings['numbers']): string[] {
  let tail = '';
  const found: string[] = [];
  for (const [symbol] of text.matchAll(anyDigit)) {
    tail = (tail + digits.get(symbol)).slice(-16);
    const name = numbers.get(tail);
    if (name !== undefined) found.push(name);
  }
  return found;
}
