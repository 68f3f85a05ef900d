import { type Command, Option } from 'commander';
import {
  readAlarm,
  readCheck,
  readInstant,
  readInstantOf,
  readKeyId,
  readPayment,
  wordsOf,
} from './arguments.ts';
import { asDefault, examples, withDashedWord, withExamples } from './command-shape.ts';
import type { AcknowledgeFlags, AlarmListFlags } from './commands/alarms.ts';
import type { CardsFlags } from './commands/cards.ts';
import type { ClockAction } from './commands/clock.ts';
import type { EncryptFlags } from './commands/encrypt.ts';
import type { IssueFlags } from './commands/keys.ts';
import type { PaymentFlags, PaymentListFlags, PaymentMove } from './commands/payments.ts';
import { isoDuration } from './duration.ts';
import { addEventCommands } from './event-commands.ts';
import type { RemoteDeps, RemoteFlags } from './session.ts';
import { addFamily } from './verbs/add-family.ts';
import { audit } from './verbs/audit.ts';
import { clients } from './verbs/clients.ts';
import { config } from './verbs/config.ts';
import { connections } from './verbs/connections.ts';
import { groups } from './verbs/groups.ts';
import { partners } from './verbs/partners.ts';
import { people } from './verbs/people.ts';
import { requests } from './verbs/requests.ts';
import { restaurants } from './verbs/restaurants.ts';
import { stock } from './verbs/stock.ts';
import { type Family, group, limitFlag, onRemote } from './verbs/verb.ts';
import { webhooks } from './verbs/webhooks.ts';

const families: readonly Family[] = [
  groups,
  restaurants,
  config,
  stock,
  partners,
  clients,
  connections,
  webhooks,
  people,
  requests,
  audit,
];

/** Adds the commands that talk to a running platform over HTTP, and the test cards. */
export function addRemoteCommands(program: Command, deps: RemoteDeps): void {
  for (const family of families) addFamily(program, deps, family);
  addClock(program, deps);
  addCards(program, deps);
  addEncrypt(program, deps);
  addKeys(program, deps);
  addPayments(program, deps);
  addAlarms(program, deps);
  addEventCommands(program, deps);
}

function addClock(program: Command, deps: RemoteDeps): void {
  const act = (action: ClockAction) => async (_flags: unknown, command: Command) => {
    const { runClock } = await import('./commands/clock.ts');
    await runClock(deps, command.optsWithGlobals<RemoteFlags>(), action);
  };
  const clock = group(program, 'clock', 'read and move the clock of a sandbox', [
    'servery clock advance 5m',
    'servery clock set 2026-03-29T03:30:00+02:00',
  ]);
  const add = (name: string, description: string, example: string, options = {}) =>
    withExamples(clock.command(name, options), [example]).description(description);
  asDefault(add('status', 'what time it is', 'servery clock', { isDefault: true })).action(
    act({ kind: 'status' }),
  );
  add('freeze', 'stop the time', 'servery clock freeze').action(act({ kind: 'freeze' }));
  add('run', 'let the time go by again', 'servery clock run').action(act({ kind: 'run' }));
  add('next', 'go to the next deadline, and do what is due', 'servery clock next').action(
    act({ kind: 'next' }),
  );
  const set = add('set', 'set the time', 'servery clock set 2026-03-29T03:30:00+02:00');
  withDashedWord(set, readInstant)
    .argument('<instant>', 'ISO 8601 with Z or an offset', readInstant)
    .action((instant: string, ...rest: [unknown, Command]) =>
      act({ kind: 'set', instant })(...rest),
    );
  const advance = add('advance', 'set the time ahead', 'servery clock advance 1h30m');
  withDashedWord(advance, isoDuration)
    .argument('<duration>', '30s, 5m, 1h30m, 7d, or ISO 8601', isoDuration)
    .action((duration: string, ...rest: [unknown, Command]) =>
      act({ kind: 'advance', duration })(...rest),
    );
}

function addCards(program: Command, deps: RemoteDeps): void {
  withExamples(program.command('cards'), ['servery cards --outcome declined --brand VISA'])
    .description('show the test cards and what each of them does')
    .option('--brand <brand>', 'only cards of a brand')
    .option('--outcome <outcome>', 'only cards of an outcome, such as DENIED')
    .option('--json', 'print JSON')
    .action(async (flags: CardsFlags) => {
      const { runCards } = await import('./commands/cards.ts');
      runCards(deps, flags);
    });
}

function addEncrypt(program: Command, deps: RemoteDeps): void {
  onRemote(program.command('encrypt'))
    .description('make the body of an authorization with a test card')
    .requiredOption('--card <number or name>', 'required: which test card: see servery cards')
    .requiredOption('--amount <amount>', 'required: in currency units, for example 12.50')
    .option('--tip <amount>', 'in currency units', '0')
    .option('--restaurant <guid or name>', 'which one, for --curl; the first of the sandbox')
    .option('--origin-ip <address>', 'where the guest pays from; made up for your own sandbox')
    .option('--key <key id>', 'which card key; the newest active one of the client')
    .option('--public-key <file>', 'a public key: PEM (with --key), or JSON')
    .option('--curl', 'print the whole curl command, with a new paymentUuid')
    .addHelpText(
      'after',
      examples([
        'servery encrypt --card 4111111111111111 --amount 12.50',
        'servery encrypt --card 4111111111111111 --amount 9 --origin-ip 192.0.32.10',
      ]),
    )
    .addHelpText('after', '\nThe curl command takes the access token from $TOKEN.')
    .action(async (flags: EncryptFlags) => {
      const { runEncrypt } = await import('./commands/encrypt.ts');
      await runEncrypt(deps, flags);
    });
}

function addKeys(program: Command, deps: RemoteDeps): void {
  const load = () => import('./commands/keys.ts');
  const keys = group(program, 'keys', 'issue, activate, retire and destroy card keys', [
    'servery keys issue partner --algorithm ECDH-ES --pending',
    'servery keys retire partner ECDH-ES::0b5c…',
  ]);
  const client = ['<client>', 'a client id, or a name in demo.json'] as const;
  keys
    .command('list')
    .description('every card key that a client ever had')
    .addHelpText('after', examples(['servery keys list partner']))
    .argument(...client)
    .action(async (name: string, _flags: unknown, command: Command) => {
      await (await load()).runKeysList(deps, name, command.optsWithGlobals());
    });
  keys
    .command('issue')
    .description('make a card key and print its public part')
    .addHelpText('after', examples(['servery keys issue partner --algorithm RSA-OAEP-256']))
    .argument(...client)
    .addOption(
      new Option('--algorithm <name>', 'how card data is encrypted')
        .choices(['ECDH-ES', 'RSA-OAEP-256', 'RSA-OAEP-SHA256', 'RSA-OAEP-SHA1'])
        .default('ECDH-ES'),
    )
    .option('--pending', 'keep it out of use until it is activated')
    .option('--legacy', 'it is meant where a payment has no keyId')
    .option('--not-after <instant>', 'the end of its use', readInstantOf('--not-after'))
    .action(async (name: string, _flags: unknown, command: Command) => {
      await (await load()).runKeysIssue(deps, name, command.optsWithGlobals<IssueFlags>());
    });
  const moves = {
    activate: 'take a pending key into use',
    retire: 'list it no more; what was encrypted with it still opens',
    destroy: 'remove the private part for good',
  } as const;
  for (const move of ['activate', 'retire', 'destroy'] as const) {
    keys
      .command(move)
      .description(moves[move])
      .addHelpText('after', examples([`servery keys ${move} partner ECDH-ES::0b5c…`]))
      .argument(...client)
      .argument('<key id>', 'see servery keys list', readKeyId)
      .action(async (name: string, keyId: string, _flags: unknown, command: Command) => {
        const key = { client: name, keyId };
        await (await load()).runKeysMove(deps, move, key, command.optsWithGlobals());
      });
  }
}

function addPayments(program: Command, deps: RemoteDeps): void {
  const load = () => import('./commands/payments.ts');
  const payments = group(program, 'payments', 'look at payments, and move them as orders do', [
    'servery payments list --payment-state AUTHORIZED,APPLIED',
    'servery payments void 6f9c… --reason "the guest left"',
  ]);
  const restaurant = 'whose; without it the first of the sandbox, and all for list';
  payments.option('--restaurant <guid or name>', restaurant);
  addPaymentsList(payments, deps);
  const onPayment = (name: string, description: string, flag = '') =>
    withExamples(payments.command(name), [`servery payments ${name} 6f9c…${flag}`])
      .description(description)
      .argument('<payment>', 'a paymentUuid', readPayment);
  onPayment('show', 'one payment, and what may be done with it').action(
    async (payment: string, _flags: unknown, command: Command) => {
      await (await load()).runPaymentsShow(deps, payment, command.optsWithGlobals());
    },
  );
  onPayment('events', 'the history of a payment').action(
    async (payment: string, _flags: unknown, command: Command) => {
      await (await load()).runPaymentsEvents(deps, payment, command.optsWithGlobals());
    },
  );
  const act =
    (moveOf: (flags: MoveFlags) => PaymentMove) =>
    async (payment: string, flags: MoveFlags, command: Command) => {
      const { runPaymentsMove } = await load();
      await runPaymentsMove(deps, payment, moveOf(flags), command.optsWithGlobals<PaymentFlags>());
    };
  onPayment('apply', 'say that a check took the payment', ' --check 91d0…')
    .requiredOption('--check <guid>', 'required: the check', readCheck)
    .action(act(({ check = '' }) => ({ kind: 'apply', checkGuid: check })));
  onPayment('fulfil', 'say that the order was fulfilled').action(act(() => ({ kind: 'fulfil' })));
  onPayment('void', 'give the hold back', ' --reason "the guest left"')
    .requiredOption('--reason <text>', 'required: for whoever reads it later', wordsOf('--reason'))
    .action(act(({ reason = '' }) => ({ kind: 'void', reason })));
  onPayment('capture', 'take the money now').action(act(() => ({ kind: 'capture' })));
}

interface MoveFlags {
  readonly check?: string;
  readonly reason?: string;
}

function addPaymentsList(payments: Command, deps: RemoteDeps): void {
  payments
    .command('list')
    .description('the payments that fit, newest first')
    .addHelpText('after', examples(['servery payments list --payment-state AUTHORIZED,APPLIED']))
    .option('--payment-state <states>', 'in one of these states, separated by commas')
    .option('--client <client>', 'of an account: its id, name, or name in demo.json')
    .option('--created-from <instant>', 'asked for then or later', readInstantOf('--created-from'))
    .option('--created-to <instant>', 'asked for before', readInstantOf('--created-to'))
    .option('--due-before <instant>', 'with a deadline before', readInstantOf('--due-before'))
    .addOption(limitFlag())
    .action(async (_flags: unknown, command: Command) => {
      const { runPaymentsList } = await import('./commands/payments.ts');
      await runPaymentsList(deps, command.optsWithGlobals<PaymentListFlags>());
    });
}

function addAlarms(program: Command, deps: RemoteDeps): void {
  const load = () => import('./commands/alarms.ts');
  const alarms = group(program, 'alarms', 'what a person has to look at', [
    'servery alarms acknowledge 0192… --note "called the bank"',
  ]);
  asDefault(withExamples(alarms.command('list', { isDefault: true }), ['servery alarms --all']))
    .description('the open alarms, newest first')
    .option('--all', 'also those that somebody took note of')
    .addOption(limitFlag())
    .action(async (_flags: unknown, command: Command) => {
      await (await load()).runAlarmsList(deps, command.optsWithGlobals<AlarmListFlags>());
    });
  alarms
    .command('acknowledge')
    .description('say that somebody took note of an alarm')
    .addHelpText('after', examples(['servery alarms acknowledge 0192… --note "called the bank"']))
    .argument('<alarm>', 'its guid', readAlarm)
    .requiredOption('--note <text>', 'required: what was found out', wordsOf('--note'))
    .action(async (guid: string, _flags: unknown, command: Command) => {
      const flags = command.optsWithGlobals<AcknowledgeFlags>();
      await (await load()).runAlarmsAcknowledge(deps, guid, flags);
    });
}
