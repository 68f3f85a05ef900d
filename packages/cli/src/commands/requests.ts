import type { LoggedRequest } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import { command, type Family, type PlatformCall, type Values } from '../command.ts';
import { Interrupted, invalidUsage } from '../exit-codes.ts';
import { didYouMean } from '../find/did-you-mean.ts';
import { filtersOf } from '../find/filters.ts';
import { ACTORS, namesOf } from '../find/names.ts';
import { instant, quoted, status } from '../readers.ts';
import { type Columns, fields } from '../shown.ts';
import { printable } from '../terminal.ts';
import { clientNames, limit, naming, requestArgument, restaurant, text } from '../values.ts';
import { replayCommand } from './replay.ts';

type Line = LoggedRequest & { readonly who?: string; readonly restaurant?: string | null };

const columns: Columns<LoggedRequest> = {
  at: 'realAt',
  status: 'status',
  operation: ({ operation, method, path }) => operation ?? `${method} ${path}`,
  ms: ({ durationMs }) => durationMs.toFixed(1),
  who: ({ who }: Line) => who,
  restaurant: ({ restaurant: at }: Line) => at,
  request: 'requestId',
  fault: 'fault',
  'refused because': refusalText,
};

const find = filtersOf('backOffice.requests.list');
const filters = {
  client: {
    ...naming(find.client, 'clientId', text('<client>', 'client ID, name, or name in demo.json')),
    completions: clientNames,
  },
  person: naming(find.person, 'personGuid', text('<person>', 'name, email address, or GUID')),
  restaurant: restaurant(text('<restaurant>', 'name or GUID')),
  operation: {
    ...naming(find.operation, 'operation', text('<id>', 'operation, for example stock.update')),
    completions: operationIds,
  },
  status: text('<status>', 'status, for example 403 or 4xx', status),
};
const TOLD_AT_MOST = 10_000;

export const requests: Family = {
  name: 'requests',
  summary: 'View the request log: calls, responses, and why a call was refused',
  examples: ['servery requests list --client partner --status 4xx', 'servery requests tail'],
  commands: [
    command({
      name: 'list',
      summary: 'List requests, newest first',
      examples: ['servery requests list --status 403'],
      isDefault: true,
      options: {
        ...filters,
        from: text('<instant>', 'at this time or later, in real time', instant),
        to: text('<instant>', 'before this time, in real time', instant),
        limit,
      },
      operation: 'backOffice.requests.list',
      pages: { columns, empty: 'No request matches.', rows: named },
    }),
    command({
      name: 'show',
      summary: 'Show a request with the headers and bodies that were kept',
      examples: ['servery requests show 0192…'],
      arguments: { request: requestArgument },
      operation: 'backOffice.requests.get',
      // "servery explain" tells it in words.
      show: (json) => {
        const { explanation: _, ...rest } = json;
        return { ...fields(rest), json };
      },
    }),
    replayCommand,
    command({
      name: 'tail',
      summary: 'Follow requests until Ctrl-C; --json prints one line for each',
      examples: ['servery requests tail --client partner'],
      options: filters,
      run: tail,
    }),
  ],
};

export async function operationIds(): Promise<readonly string[]> {
  return Object.keys((await import('@servery/client/back-office')).operations);
}

/** Throws for a typo. What is like no operation that is known here may be one of another version. */
export async function refuseTypo(operation: string): Promise<void> {
  const ids = await operationIds();
  const meant = ids.includes(operation) ? '' : didYouMean(operation, ids);
  if (meant === '') return;
  throw invalidUsage(`--operation ${quoted(operation)} is not an operation${meant}`);
}

async function named(results: readonly LoggedRequest[], call: PlatformCall): Promise<Line[]> {
  const ids = results.flatMap((one) => [one.clientId, one.personGuid, one.restaurantGuid]);
  const nameOf = await namesOf(call, ids, [...ACTORS, 'restaurant']);
  return results.map((one) => ({
    ...one,
    who: nameOf(whoText(one)),
    restaurant: one.restaurantGuid && nameOf(one.restaurantGuid),
  }));
}

/** The platform ends a stream after some minutes, to check access again. It is then reopened. */
async function tail(call: PlatformCall<Values, typeof filters>): Promise<never> {
  const { client, terminal, flags, signal, options } = call;
  const { client: clientId, person, restaurant: at, ...rest } = options;
  const query = { ...rest, clientId, personGuid: person, restaurantGuid: at };
  /** Some requests come twice where a stream goes on. */
  const told = new Set<string>();
  let lastEventId: string | null = null;
  let retryMs = 1_000;
  try {
    for (;;) {
      const headers: Record<string, string> =
        lastEventId === null ? {} : { 'last-event-id': lastEventId };
      for await (const line of client.lines('backOffice.requests.stream', { query, headers })) {
        const [, name, value = ''] = /^(id|retry|data): ?(.*)$/.exec(line) ?? [];
        if (name === 'id') lastEventId = value;
        if (name === 'retry' && /^\d{1,5}$/.test(value)) retryMs = Number(value);
        if (name !== 'data') continue;
        const request = JSON.parse(value) as LoggedRequest;
        if (told.has(request.requestId)) continue;
        told.add(request.requestId);
        const [first = ''] = told;
        if (told.size > TOLD_AT_MOST) told.delete(first);
        terminal.out.write(`${flags.json ? value : printable(lineOf(request))}\n`);
      }
      await sleep(retryMs, signal);
    }
  } catch (error) {
    // Ctrl-C is the usual end.
    if (signal.reason instanceof Interrupted) throw new Interrupted('', signal.reason.exitCode);
    throw error;
  }
}

function lineOf(request: LoggedRequest): string {
  const { realAt, status: code, operation, method, path, durationMs, fault } = request;
  const what = operation ?? `${method} ${path}`;
  const parts = [realAt, String(code), what, `${durationMs.toFixed(1)} ms`, whoText(request)];
  return [...parts, fault === null ? '' : `fault ${fault}`, refusalText(request)]
    .filter((part) => part !== '')
    .join('  ');
}

function whoText({ clientId, personGuid, remoteAddress }: LoggedRequest): string {
  return clientId ?? (personGuid === null ? remoteAddress : `person:${personGuid}`);
}

function refusalText({ refusal }: LoggedRequest): string {
  if (refusal === null) return '';
  // In a sandbox the message already has them.
  const faults = refusal.faults.filter(({ field }) => !refusal.message.includes(field));
  const added = faults.map(({ field, rule }) => ` ${field}: ${rule}.`).join('');
  return `${refusal.check}: ${refusal.message}${added}`;
}
