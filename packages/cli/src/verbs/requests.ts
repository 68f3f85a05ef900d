import type { LoggedRequest } from '@servery/contract';
import { machineTimer } from '@servery/support/timer.ts';
import { readGuidOf, readInstantOf, readStatus } from '../arguments.ts';
import { type Query, readPages } from '../back-office.ts';
import { Interrupted } from '../exit-codes.ts';
import type { Column } from '../table.ts';
import { printable } from '../terminal.ts';
import { filtersOf } from './filters.ts';
import { ACTORS, namesOf } from './names.ts';
import { fields, type Listed, rows, type Shown } from './shown.ts';
import { type Call, type Family, flag, limitFlag, verb } from './verb.ts';

const PATH = '/backoffice/v1/requests';

interface FilterFlags {
  readonly client?: string;
  readonly person?: string;
  readonly restaurant?: string;
  readonly operation?: string;
  readonly status?: string;
}

interface ListFlags extends FilterFlags {
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

const filters = [
  flag('--client <client>', 'of an account: its id, name, or name in demo.json'),
  flag('--person <person>', 'of a person: a name, an e-mail address or a GUID'),
  flag('--restaurant <restaurant>', 'that name a restaurant: its name or GUID'),
  flag('--operation <id>', 'for an operation, such as stock.update'),
  flag('--status <status>', 'answered so, such as 403 or 4xx', readStatus),
];

/** A request with names in place of ids. */
interface Line extends LoggedRequest {
  readonly who: string;
  readonly restaurant: string | null;
}

const columns: readonly Column<Line>[] = [
  { title: 'at', cell: ({ realAt }) => realAt },
  { title: 'status', cell: ({ status }) => String(status) },
  { title: 'operation', cell: ({ operation, method, path }) => operation ?? `${method} ${path}` },
  { title: 'ms', cell: ({ durationMs }) => durationMs.toFixed(1) },
  { title: 'who', cell: ({ who }) => who, breaks: true },
  { title: 'restaurant', cell: ({ restaurant }) => restaurant ?? '', breaks: true },
  { title: 'request', cell: ({ requestId }) => requestId },
  { title: 'refused because', cell: refusalText, breaks: true },
];

/** `servery requests`. */
export const requests: Family = {
  name: 'requests',
  says: 'look at the log of requests: what was asked, answered, and why refused',
  examples: ['servery requests list --client partner --status 4xx', 'servery requests tail'],
  verbs: [
    verb<ListFlags>({
      name: 'list',
      says: 'the last requests that fit, newest first',
      example: 'servery requests list --status 403',
      isDefault: true,
      flags: [
        ...filters,
        flag('--from <instant>', 'at this real time or later', readInstantOf('--from')),
        flag('--to <instant>', 'before this real time', readInstantOf('--to')),
        limitFlag(),
      ],
      run: async (call) => {
        const { from, to, limit } = call.flags;
        const query = { ...(await queryOf(call)), from, to };
        const page = await readPages<LoggedRequest>(call.remote, PATH, query, limit);
        return await listShown(call, page);
      },
    }),
    verb<object>({
      name: 'show',
      says: 'one request, with headers and bodies as far as they are kept',
      example: 'servery requests show 0192…',
      words: [
        {
          name: '<request>',
          says: 'the id that its answer carried',
          read: readGuidOf('request', 'servery requests list'),
        },
      ],
      run: async ({ remote, words: [id] }) => fields(await remote.get(`${PATH}/${id}`)),
    }),
    verb<FilterFlags>({
      name: 'tail',
      says: 'requests as they come, until Ctrl-C; with --json a line for each',
      example: 'servery requests tail --client partner',
      flags: filters,
      run: tail,
    }),
  ],
};

async function listShown(call: Call<object>, listed: Listed<LoggedRequest>): Promise<Shown> {
  const { results, hasMore } = listed;
  const ids = results.flatMap((one) => [one.clientId, one.personGuid, one.restaurantGuid]);
  const nameOf = await namesOf(call, ids, [...ACTORS, 'restaurant']);
  const lines = results.map((one) => ({
    ...one,
    who: nameOf(whoText(one)),
    restaurant: one.restaurantGuid && nameOf(one.restaurantGuid),
  }));
  return { ...rows(columns, { results: lines, hasMore }, 'No request fits.'), json: results };
}

const parameters = { client: 'clientId', person: 'personGuid', operation: 'operation' };

async function queryOf(call: Call<FilterFlags>): Promise<Query> {
  const { client, person, restaurant, operation, status } = call.flags;
  const named = filtersOf(call, { path: PATH, parameters });
  return {
    clientId: client === undefined ? undefined : await named.client(client),
    personGuid: person === undefined ? undefined : await named.person(person),
    restaurantGuid: restaurant === undefined ? undefined : await call.find.restaurant(restaurant),
    operation: operation === undefined ? undefined : await named.operation(operation),
    status,
  };
}

/** How far a stream was read: the last event, and what it says about coming again. */
interface Reading {
  lastEventId: string | null;
  retryMs: number;
  /** Requests that were told: some come twice where a stream goes on. */
  readonly told: Set<string>;
}

const TOLD_AT_MOST = 10_000;

/** The platform ends each stream after some minutes, so that rights count anew: it is reopened. */
async function tail(call: Call<FilterFlags>): Promise<never> {
  const { signal } = call.deps;
  const query = await queryOf(call);
  const reading: Reading = { lastEventId: null, retryMs: 1_000, told: new Set() };
  try {
    for (;;) {
      await tellStream(call, query, reading);
      await machineTimer.wait(reading.retryMs, signal);
    }
  } catch (error) {
    // Ctrl-C is how it is meant to end.
    if (signal.reason instanceof Interrupted) throw new Interrupted('', signal.reason.exitCode);
    throw error;
  }
}

/** Tells what one stream brings, from where the one before broke off. */
async function tellStream(
  { remote, deps, flags }: Call<FilterFlags>,
  query: Query,
  reading: Reading,
): Promise<void> {
  const { lastEventId } = reading;
  const from = lastEventId === null ? {} : { 'last-event-id': lastEventId };
  for await (const line of remote.lines(`${PATH}/stream`, query, from)) {
    const [, name, value = ''] = /^(id|retry|data): ?(.*)$/.exec(line) ?? [];
    if (name === 'id') reading.lastEventId = value;
    if (name === 'retry' && /^\d{1,5}$/.test(value)) reading.retryMs = Number(value);
    if (name !== 'data') continue;
    const request = JSON.parse(value) as LoggedRequest;
    if (reading.told.has(request.requestId)) continue;
    reading.told.add(request.requestId);
    if (reading.told.size > TOLD_AT_MOST) forgetFirst(reading.told);
    deps.terminal.out.write(flags.json ? `${value}\n` : `${printable(lineOf(request))}\n`);
  }
}

function forgetFirst(told: Set<string>): void {
  const [first] = told;
  if (first !== undefined) told.delete(first);
}

function lineOf(request: LoggedRequest): string {
  const { realAt, status, operation, method, path, durationMs } = request;
  const what = operation ?? `${method} ${path}`;
  const parts = [realAt, String(status), what, `${durationMs.toFixed(1)} ms`, whoText(request)];
  return [...parts, refusalText(request)].filter((part) => part !== '').join('  ');
}

function whoText({ clientId, personGuid, remoteAddress }: LoggedRequest): string {
  return clientId ?? (personGuid === null ? remoteAddress : `person:${personGuid}`);
}

function refusalText({ refusal }: LoggedRequest): string {
  if (refusal === null) return '';
  // In a sandbox the message has them already.
  const faults = refusal.faults.filter(({ field }) => !refusal.message.includes(field));
  const added = faults.map(({ field, rule }) => ` ${field}: ${rule}.`).join('');
  return `${refusal.check}: ${refusal.message}${added}`;
}
