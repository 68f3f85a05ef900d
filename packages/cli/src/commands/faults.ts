import {
  type FaultRule,
  type FaultRules,
  faultKindNames,
  faultKinds,
  faultProfiles,
  faultStatuses,
  faultText,
} from '@servery/contract';
import { Help } from 'commander';
import { command, type Family, type PlatformCall, type Value } from '../command.ts';
import { invalidUsage } from '../exit-codes.ts';
import { namesOf } from '../find/names.ts';
import { amount, countUpTo, duration, quoted } from '../readers.ts';
import { type Columns, rows, type Shown } from '../shown.ts';
import { argument, as, client, guid, restaurant, text } from '../values.ts';
import { operationIds, refuseTypo } from './requests.ts';

/** A rule with the names of what it matches. */
type Line = FaultRule & { readonly where?: string };

const columns: Columns<FaultRule> = {
  rule: 'guid',
  fault: ({ fault }) => faultText(fault),
  where: ({ where }: Line) => where,
  often: ({ rate, times, remaining }) =>
    rate === null ? `${remaining} of ${times} left` : `${rate * 100}%`,
  matched: 'matched',
  happened: 'injected',
  last: 'lastMatchedAt',
};

const ADD = 'servery faults add lostAnswer --operation creditCards.authorize';
const most = 1_000_000;

const share: Value<number | undefined> = text(
  '<share>',
  'share of matches that go wrong, from 0 to 1, instead of --times',
  Number,
);

export const faults: Family = {
  name: 'faults',
  summary: 'Inject faults into a sandbox',
  examples: [ADD, 'servery faults profile perfect'],
  commands: [
    command({
      name: 'list',
      summary: 'List the rules, and how often they matched',
      examples: ['servery faults'],
      isDefault: true,
      operation: 'backOffice.faults.list',
      show: shown,
    }),
    command({
      name: 'add',
      summary: 'Add a rule',
      examples: [
        ADD,
        'servery faults add latency --duration 2s --times 3',
        'servery faults add decline --code 51 --rate 0.2 --seed 7',
      ],
      details: kindsHelp,
      check: async ({ options: { operation } }) => {
        if (operation !== undefined) await refuseTypo(operation);
      },
      arguments: {
        fault: as('fault.kind', { ...argument('what goes wrong'), choices: faultKindNames }),
      },
      options: {
        operation: {
          ...as(
            'match.operation',
            text('<operation>', 'only requests for it, for example stock.update'),
          ),
          completions: operationIds,
        },
        client: as('match.client', client(text('<client>', 'only for this client'))),
        restaurant: restaurant(
          text('<restaurant>', 'only for this restaurant'),
          'match.restaurant',
        ),
        times: text('<count>', 'how often it happens (default: once)', countUpTo(most)),
        rate: share,
        seed: text('<number>', 'the same seed gives the same sequence', countUpTo(most)),
        status: as(
          'fault.status',
          text('<status>', `for status: ${faultStatuses.join(', ')}`, readStatus),
        ),
        retryAfter: as(
          'fault.retryAfterSeconds',
          text('<seconds>', 'for tooManyRequests: the value of Retry-After', countUpTo(3_600)),
        ),
        duration: as(
          'fault.duration',
          text('<duration>', 'for faults that take time: 2s, 5m', duration),
        ),
        code: as('fault.code', text('<code>', 'for decline and captureRefused: a response code')),
        amount: as(
          'fault.amount',
          text('<amount>', 'for otherAmount: the amount that is approved', amount),
        ),
        inquiries: as(
          'fault.inquiries',
          text('<count>', 'for lateApproval: how many inquiries find nothing', countUpTo(10)),
        ),
        call: as(
          'fault.call',
          text(
            '<call>',
            'for processorSilent and processorUnreachable: the call, for example capture',
          ),
        ),
      },
      operation: 'backOffice.faults.add',
      show: async (rule, call) => ({
        ...rows(columns, await named([rule], call), ''),
        json: rule,
      }),
    }),
    command({
      name: 'remove',
      summary: 'Remove a rule',
      examples: ['servery faults remove 0199…'],
      arguments: { rule: guid('faultGuid', 'a rule', 'servery faults list') },
      operation: 'backOffice.faults.remove',
      show: shown,
    }),
    command({
      name: 'profile',
      summary: 'Replace all rules with those of a profile, or with none',
      examples: ['servery faults profile bad-friday --seed 7', 'servery faults profile perfect'],
      arguments: { profile: { ...argument('name of the profile'), choices: faultProfiles } },
      options: { seed: text('<number>', 'the same seed gives the same sequence', countUpTo(most)) },
      operation: 'backOffice.faults.setProfile',
      show: shown,
    }),
  ],
};

function readStatus(written: string, flag = ''): number {
  const status = faultStatuses.find((each) => String(each) === written);
  if (status !== undefined) return status;
  throw invalidUsage(
    `${flag}${quoted(written)} cannot be injected. Use one of ${faultStatuses.join(', ')}.`,
  );
}

async function shown(answer: FaultRules, call: PlatformCall): Promise<Shown> {
  const { rules } = answer;
  const table = rows(columns, await named(rules, call), 'No faults are injected.');
  const idle = rules.filter(({ matchesNothing }) => matchesNothing);
  const told = idle.map(
    (rule) => `Rule ${rule.guid} has matched nothing for a minute or more: ${adviceOf(rule)}`,
  );
  return { ...table, json: answer, notes: [...(table.notes ?? []), ...told] };
}

async function named(rules: readonly FaultRule[], call: PlatformCall): Promise<readonly Line[]> {
  const ids = rules.flatMap(({ match }) => [match.client, match.restaurant]);
  const nameOf = await namesOf(call, ids, ['client', 'restaurant']);
  return rules.map((rule) => {
    const { operation, client: who, restaurant: at } = rule.match;
    const parts = [operation, who && nameOf(who), at && nameOf(at)].filter(Boolean);
    return { ...rule, where: parts.join(', ') || 'anywhere' };
  });
}

function adviceOf({ phase, match, fault: { kind } }: FaultRule): string {
  const { operation, client: who, restaurant: at } = match;
  const parts = [who && 'client', at && 'restaurant'].filter(Boolean);
  const check = parts.length > 0 ? ` Check its ${parts.join(' and ')}.` : '';
  return `${needs(phase, kind, operation)}${check}`;
}

function needs(
  phase: FaultRule['phase'],
  kind: FaultRule['fault']['kind'],
  operation: string | null,
): string {
  switch (phase) {
    case 'webhooks': {
      const ordered = kind === 'shuffledEvents' ? ' that is not ordered' : '';
      return (
        `it needs an event for an active webhook endpoint${ordered}. "servery webhooks list" shows ` +
        'the endpoints, and "servery webhooks test" sends an event.'
      );
    }
    case 'processor':
      return kind === 'captureRefused'
        ? 'it needs the capture of a card payment. "servery payments list" shows the payments.'
        : 'it needs a call to the card processor, for example for a new card payment.';
    case 'paging':
      return kind === 'publicationBetweenPages'
        ? 'it needs a request for a later page, with a pageToken.'
        : 'it needs a request that returns a list or a page.';
    default:
      return operation === null
        ? 'it needs a request with the token of a partner. --operation orders it for others.'
        : `it needs a request for ${operation}.`;
  }
}

/** What each fault does, in lines of at most `width` characters. */
function kindsHelp(width: number): string {
  const help = new Help();
  const lines = faultKindNames.map((kind) => {
    const words = help.boxWrap(faultKinds[kind].does, width - 4);
    return `  ${kind}\n${words.replaceAll(/^/gm, '    ')}`;
  });
  return ['Faults:', ...lines].join('\n');
}
