import { CommandFailure } from '../exit-codes.ts';
import { openSession, type RemoteDeps, type RemoteFlags, showJson } from '../session.ts';
import { printable } from '../terminal.ts';
import { finderOn } from './finder.ts';
import type { Call, Verb } from './verb.ts';

/** Runs a verb on the platform of the flags, and shows what it gives. Throws CommandFailure. */
export async function runVerb(
  deps: RemoteDeps,
  { run, local, isLocal = ({ local: said }: { local?: boolean }) => said === true }: Verb,
  words: readonly string[],
  flags: RemoteFlags,
): Promise<void> {
  if (local && isLocal(flags as never)) return local(deps, words, flags as never);
  const { remote, demo } = await openSession(deps, flags);
  const call: Call<RemoteFlags> = {
    words,
    flags,
    remote,
    demo,
    deps,
    find: finderOn(remote, demo),
  };
  const shown = await run(call as Call<never>);
  if (shown === null) return;
  if (flags.json) showJson(deps, shown.json);
  else shown.print(deps);
  for (const note of shown.notes ?? []) deps.terminal.err.write(`${printable(note)}\n`);
  if (shown.exitCode !== undefined) throw new CommandFailure('', shown.exitCode);
}
