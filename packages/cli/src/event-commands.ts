import { type Command, InvalidArgumentError, Option } from 'commander';
import { examples } from './command-shape.ts';
import type { ListenFlags } from './commands/listen.ts';
import type { TriggerFlags } from './commands/trigger.ts';
import { isoDuration } from './duration.ts';
import { invalidUsage } from './exit-codes.ts';
import type { RemoteDeps } from './session.ts';
import { onRemote } from './verbs/verb.ts';

const TIMEOUT_MS = 30_000;
const EVENTS_AT_MOST = 1_000_000;

/** Adds the commands of developers who want to see events: `listen` and `trigger`. */
export function addEventCommands(program: Command, deps: RemoteDeps): void {
  addListen(program, deps);
  addTrigger(program, deps);
}

function addListen(program: Command, deps: RemoteDeps): void {
  onRemote(program.command('listen'))
    .description('follow the events of a partner, and post each to your machine')
    .option('--forward-to <address>', 'such as http://localhost:3000/hooks; or only a port')
    .option('--events <types>', 'only these, separated by commas')
    .option('--since <place>', 'a cursor, an event’s GUID, beginning or now; else the last place')
    .option('--exit-on-failure', 'end with 6 when a forward is not answered with 2xx')
    .addOption(new Option('--max-events <count>', 'end after so many').argParser(readCount))
    .addOption(
      new Option('--timeout <duration>', 'how long an answer may take')
        .argParser(readTimeout)
        .default(TIMEOUT_MS, '30s'),
    )
    .option('--print-json, --json', 'print a line of JSON for each')
    .addHelpText(
      'after',
      examples([
        'servery listen --forward-to http://localhost:3000/hooks',
        'servery listen --forward-to 3000 --max-events 2 --exit-on-failure',
      ]),
    )
    .action(async (flags: ListenFlags) => {
      const { runListen } = await import('./commands/listen.ts');
      await runListen(deps, flags);
    });
}

function addTrigger(program: Command, deps: RemoteDeps): void {
  onRemote(program.command('trigger'))
    .description('make what a partner is told of, in a sandbox')
    .argument('<event>', 'partner_added, partner_updated or partner_removed')
    .option('--restaurant <restaurant>', 'where: name or GUID; the first that fits')
    .option('--partner <partner>', 'who is told: name or GUID; that of the account partner')
    .option('--synthetic', 'change nothing: only send a made up event')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples([
        'servery trigger partner_updated',
        'servery trigger partner_removed --restaurant "The Early Wren"',
        'servery trigger partner_added --restaurant "The Early Wren"',
        'servery trigger partner_removed --synthetic',
      ]),
    )
    .action(async (event: string, flags: TriggerFlags) => {
      const { runTrigger } = await import('./commands/trigger.ts');
      await runTrigger(deps, event, flags);
    });
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= EVENTS_AT_MOST) return count;
  throw new InvalidArgumentError(`Say a number from 1 to ${EVENTS_AT_MOST}.`);
}

function readTimeout(text: string): number {
  const duration = Temporal.Duration.from(isoDuration(text));
  const durationMs = duration.total({ unit: 'milliseconds', relativeTo: '2026-01-01' });
  if (durationMs <= 600_000) return durationMs;
  throw invalidUsage(`--timeout ${text} is too long: say 10m at most.`);
}
