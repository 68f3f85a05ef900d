import type {
  CreatedSandbox,
  Sandbox,
  SandboxDiff,
  SandboxDifference,
  SandboxOrigin,
  SandboxSnapshot,
} from '@servery/contract';
import { command, type Family, type PlatformCall, type Value } from '../command.ts';
import { sandboxPlaceOf } from '../connection.ts';
import { CommandFailure, endsWith, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fieldChangesText } from '../field-changes.ts';
import { didYouMean } from '../find/did-you-mean.ts';
import { requireWritableProfiles } from '../profiles.ts';
import { duration } from '../readers.ts';
import { forgetSandbox, keepSandboxDemo, MAIN, sandboxName } from '../sandbox-accounts.ts';
import { type Columns, lines, rows, type Shown, said } from '../shown.ts';
import { tell } from '../tell.ts';
import {
  argument,
  as,
  limit,
  loading,
  optional,
  required,
  sandboxNames,
  several,
  text,
  toggle,
} from '../values.ts';

const profiles: readonly string[] = ['demo', 'empty', 'huge'];
const sections = ['configuration', 'stock', 'payments', 'connections'] as const;

const columns: Columns<Sandbox> = {
  sandbox: 'name',
  from: ({ from }) => originText(from),
  until: ({ expiresAt }) => minuteText(expiresAt),
  'last used': ({ lastUsedAt }) => lastUsedAt && minuteText(lastUsedAt),
  size: ({ sizeBytes }) => sizeText(sizeBytes),
  clock: ({ clock }) => clockText(clock),
};

const snapshotColumns: Columns<SandboxSnapshot> = {
  snapshot: 'name',
  taken: ({ createdAt }) => minuteText(createdAt),
  size: ({ sizeBytes }) => sizeText(sizeBytes),
};

interface DifferenceLine extends SandboxDifference {
  readonly section: (typeof sections)[number];
  readonly change: 'added' | 'removed' | 'changed';
}

const differenceColumns: Columns<DifferenceLine> = {
  in: 'section',
  change: 'change',
  what: 'kind',
  name: ({ name, guid }) => name ?? guid,
  restaurant: 'restaurantName',
  fields: ({ fields }) => fieldChangesText(fields),
};

const named = (field: string, help: string): Value<string> => ({
  ...as(field, argument(help, sandboxName)),
  completions: sandboxNames,
});
const one = (instead: string) => ({
  sandbox: besideMain('its name: see servery sandbox list', instead),
});
/** A sandbox and not `main`: `instead` says what to do with that one. */
const besideMain = (help: string, instead: string): Value<string> => ({
  ...named('name', help),
  read: (written, flag) => {
    if (written !== MAIN) return sandboxName(written, flag);
    throw invalidUsage(`${MAIN} is the main environment, not a sandbox. ${instead}`);
  },
});
const NO_SNAPSHOTS =
  'It has no snapshots. To keep its state, copy it with "servery sandbox create --from main".';
const snapshotOf = (field: string, help: string) => as(field, argument(help, sandboxName));

export const sandbox: Family = {
  name: 'sandbox',
  summary: 'Create, copy, and compare additional sandboxes',
  examples: [
    'servery sandbox create pull-42 --ttl 2h',
    'export SERVERY_SANDBOX=pull-42',
    'servery orders list --sandbox pull-42',
  ],
  isOfMain: true,
  commands: [
    command({
      name: 'list',
      summary: 'List sandboxes, by name',
      examples: ['servery sandbox list'],
      isDefault: true,
      options: { limit },
      operation: 'backOffice.sandboxes.list',
      pages: {
        columns,
        empty: 'There are no sandboxes. Create one: "servery sandbox create".',
      },
    }),
    command({
      name: 'create',
      summary: 'Create a sandbox, and store its accounts so that --sandbox can use them',
      examples: [
        'servery sandbox create pull-42 --ttl 2h',
        'servery sandbox create --from pull-42@before-lunch --json',
      ],
      arguments: {
        name: as('name', optional('its name (default: the platform chooses one)', sandboxName)),
      },
      options: {
        from: {
          ...loading(
            sourceOf,
            as(
              'from',
              text('<source>', 'demo, empty, huge, <sandbox>, or <sandbox>@<snapshot>', readSource),
            ),
          ),
          fallback: 'demo',
          completions: async (context) => [...profiles, ...(await sandboxNames(context))],
        },
        ttl: as('ttl', text('<duration>', 'how long it exists: 2h, 3d (default: 24h)', duration)),
      },
      operation: 'backOffice.sandboxes.create',
      run: async (call) => {
        const { env: own, flags, demo } = call;
        // Secrets that are neither kept nor shown would be lost.
        if (!flags.json && demo === null) await requireWritableProfiles(own);
        const made = await call.ask();
        const place = sandboxPlaceOf(call, made.name);
        const kept = await keepSandboxDemo(own, place, made.demo).catch((error: Error) => error);
        if (typeof kept === 'string') return said(made, createdText(made, kept, call));
        const lost = `${made.name} was created, but its accounts are not kept: ${kept.message}`;
        if (flags.json) return said(made, '', [lost]);
        return {
          ...said(made, made.baseUrl),
          failure: new CommandFailure(lost, exitCodes.failure),
        };
      },
    }),
    command({
      name: 'show',
      summary: 'Show a sandbox',
      examples: ['servery sandbox show pull-42'],
      arguments: one('"servery sandbox list" shows the sandboxes beside it.'),
      operation: 'backOffice.sandboxes.get',
      show: sandboxShown,
    }),
    command({
      name: 'extend',
      summary: 'Set how long a sandbox exists from now on',
      examples: ['servery sandbox extend pull-42 --ttl 3d'],
      arguments: one('It never ends, so there is nothing to extend.'),
      options: {
        ttl: required(as('ttl', text('<duration>', 'from now on: 2h, 3d', duration))),
      },
      operation: 'backOffice.sandboxes.update',
      show: (after) => said(after, `${after.name} exists until ${after.expiresAt}.`),
    }),
    command({
      name: 'drop',
      summary: 'Drop sandboxes for good, with their snapshots',
      examples: ['servery sandbox drop pull-42', 'servery sandbox drop --replays --yes'],
      arguments: {
        sandboxes: {
          ...as(null, loading(readNames, several('their names: see servery sandbox list'))),
          completions: sandboxNames,
        },
      },
      options: {
        replays: as(null, toggle('all copies that replays made (replay-…)')),
        yes: as(null, toggle('with --replays: drop them, instead of only listing them')),
      },
      check: ({ args: { sandboxes }, options: { replays } }) => {
        if (sandboxes.length > 0 !== (replays === true)) return;
        throw invalidUsage(
          replays
            ? 'give names or --replays, not both.'
            : 'name the sandboxes to drop, or use --replays.',
        );
      },
      operation: 'backOffice.sandboxes.drop',
      run: async (call) => {
        const { args, options } = call;
        if (!options.replays) {
          await requireAll(call, args.sandboxes);
          return await drop(call, args.sandboxes);
        }
        const copies = await replaysOf(call);
        if (copies.length === 0 || options.yes) return await drop(call, copies);
        throw invalidUsage(
          `these would be dropped: ${copies.join(', ')}. To drop them, add --yes.`,
        );
      },
    }),
    command({
      name: 'snapshot',
      summary: 'Take a snapshot: store the state of a sandbox under a name',
      examples: ['servery sandbox snapshot pull-42 before-lunch'],
      arguments: {
        ...one(NO_SNAPSHOTS),
        snapshot: snapshotOf('snapshot', 'a new name for the state'),
      },
      operation: 'backOffice.sandboxes.snapshots.create',
      run: async (call) => {
        const { sandbox: name, snapshot } = call.args;
        const taken = await call.ask({ body: { name: snapshot } });
        return said(
          taken,
          `Kept ${name} as ${taken.name}. To return to it:\n` +
            `  servery sandbox restore ${name} ${taken.name}`,
        );
      },
    }),
    command({
      name: 'snapshots',
      summary: 'List the snapshots of a sandbox',
      examples: ['servery sandbox snapshots pull-42'],
      arguments: one(NO_SNAPSHOTS),
      operation: 'backOffice.sandboxes.snapshots.list',
      show: (taken, { args }) => rows(snapshotColumns, taken, `${args.sandbox} has no snapshots.`),
    }),
    command({
      name: 'drop-snapshot',
      summary: 'Drop a snapshot of a sandbox for good',
      examples: ['servery sandbox drop-snapshot pull-42 before-lunch'],
      arguments: {
        ...one(NO_SNAPSHOTS),
        snapshot: snapshotOf('snapshot', 'see servery sandbox snapshots'),
      },
      operation: 'backOffice.sandboxes.snapshots.drop',
      show: (dropped, { args }) =>
        said(dropped, `Dropped the snapshot ${dropped.name} of ${args.sandbox}.`),
    }),
    command({
      name: 'restore',
      summary: 'Return to a snapshot; everything since then is lost',
      examples: ['servery sandbox restore pull-42 before-lunch'],
      arguments: {
        ...one(NO_SNAPSHOTS),
        snapshot: snapshotOf('snapshot', 'see servery sandbox snapshots'),
      },
      operation: 'backOffice.sandboxes.restore',
      show: (after) =>
        said(after, `${after.name} is as it was. Its clock: ${clockText(after.clock)}.`),
    }),
    command({
      name: 'diff',
      summary: 'Compare two sandboxes; exits with 5 if something differs',
      examples: ['servery sandbox diff main pull-42'],
      arguments: {
        before: named('name', 'a sandbox, or main'),
        after: named('with', 'the sandbox to compare it with, or main'),
      },
      operation: 'backOffice.sandboxes.diff',
      show: diffShown,
    }),
  ],
};

function readNames(written: readonly string[]): readonly string[] {
  return [...new Set(written)].map((name) => {
    if (name !== MAIN) return sandboxName(name);
    throw invalidUsage(
      `${MAIN} is the main environment, not a sandbox. To start over, stop its server and delete ` +
        'its data directory.',
    );
  });
}

/** More than a platform can have. */
const REPLAYS_AT_MOST = 10_000;

/** The copies that replays made: nobody else is likely to call a sandbox so. */
async function replaysOf({ client }: Pick<PlatformCall, 'client'>): Promise<readonly string[]> {
  const { results } = await client.list('backOffice.sandboxes.list', {}, REPLAYS_AT_MOST);
  return results.map(({ name }) => name).filter((name) => /^replay-[0-9a-f]{8}$/.test(name));
}

/** Before the first of several is dropped: the platform says which one is not there. */
async function requireAll(
  { client }: Pick<PlatformCall, 'client'>,
  names: readonly string[],
): Promise<void> {
  for (const name of names) await client.call('backOffice.sandboxes.get', { params: { name } });
}

/** In their order. If one fails, it tells how far it came. */
async function drop(
  call: Pick<PlatformCall, 'client' | 'demo' | 'env' | 'flags' | 'terminal'>,
  names: readonly string[],
): Promise<Shown> {
  const dropped: { name: string }[] = [];
  const text = () => `Dropped ${dropped.map(({ name }) => name).join(', ') || 'none'}.`;
  try {
    for (const name of names) {
      await call.client.call('backOffice.sandboxes.drop', { params: { name } });
      await forgetSandbox(call.env, sandboxPlaceOf(call, name));
      dropped.push({ name });
    }
  } catch (error) {
    const [failed, ...untried] = names.slice(dropped.length);
    const rest = untried.length === 0 ? '' : ` Not tried: ${untried.join(', ')}.`;
    if (names.length > 1) tell(call, `${text()} Failed: ${failed}.${rest}`);
    throw error;
  }
  return said(dropped, names.length === 0 ? 'There is no copy of a replay.' : text());
}

function readSource(written: string, flag = ''): string {
  const [name = '', ...snapshot] = written.split('@');
  if (snapshot.length > 0) sandboxName(snapshot.join('@'), flag);
  // It may be meant for a profile.
  const hint = ` The profiles are ${profiles.join(', ')}${didYouMean(name, profiles) || '.'}`;
  sandboxName(name, flag, hint);
  return written;
}

function sourceOf(written: string): Readonly<Record<string, string>> {
  const [name = '', snapshot] = written.split('@');
  if (snapshot !== undefined) return { sandbox: name, snapshot };
  return profiles.includes(name) ? { profile: name } : { sandbox: name };
}

function createdText(
  { name, baseUrl, expiresAt }: CreatedSandbox,
  file: string,
  { flags }: Pick<PlatformCall, 'flags'>,
): string {
  // What the next command must say, too, when this one said it with a flag.
  const variables: readonly (readonly [string, string | undefined])[] = [
    ['SERVERY_URL', flags.url],
    ['SERVERY_ENV', flags.profile],
    ['SERVERY_DATA_DIR', flags.dataDir],
    ['SERVERY_SANDBOX', name],
  ];
  const words = variables.flatMap(([key, value]) => (value === undefined ? [] : `${key}=${value}`));
  return (
    `The sandbox ${name} is ready, until ${expiresAt}:\n  ${baseUrl}\n` +
    `Its accounts are in ${file}.\n` +
    `To use it from now on:\n  export ${words.join(' ')}`
  );
}

function sandboxShown(own: Sandbox): Shown {
  return lines(own, [
    ['sandbox', own.name],
    ['address', own.baseUrl],
    ['from', originText(own.from)],
    ['created', own.createdAt],
    ['until', own.expiresAt],
    ['last used', own.lastUsedAt ?? 'never'],
    ['size', sizeText(own.sizeBytes)],
    ['clock', clockText(own.clock)],
  ]);
}

function diffShown(diff: SandboxDiff): Shown {
  const found = sections.flatMap((section) =>
    (['added', 'removed', 'changed'] as const).flatMap((change) =>
      diff[section][change].map((one) => ({ ...one, section, change })),
    ),
  );
  const cut = sections.filter((section) => diff[section].truncated);
  const notes =
    cut.length === 0 ? [] : [`There are more differences in ${cut.join(', ')} than are shown.`];
  const table = rows(differenceColumns, found, `${diff.name} and ${diff.with} are alike.`);
  if (found.length === 0) return { ...table, json: diff };
  return { ...table, json: diff, notes, failure: endsWith('differs') };
}

function originText({ profile, sandbox: copied, snapshot, replayOf }: SandboxOrigin): string {
  if (replayOf) return `${copied}, to replay ${replayOf.method} ${replayOf.path}`;
  return profile ?? (snapshot === null ? (copied ?? '') : `${copied}@${snapshot}`);
}

function clockText({ now, mode }: Sandbox['clock']): string {
  return `${minuteText(now)}${mode === 'FROZEN' ? ' frozen' : ''}`;
}

/** An instant as far as a list has room: `2026-01-31T18:30Z`. */
function minuteText(instant: string): string {
  return instant.replace(/:\d{2}\.\d+Z$/, 'Z');
}

function sizeText(sizeBytes: number): string {
  return `${(sizeBytes / 1_000_000).toFixed(1)} MB`;
}
