import { load } from '@servery/server';
import { invalidUsage } from '../exit-codes.ts';
import { toTarget } from '../output-file.ts';
import { configOf, type LocalCall, requireDatabase, withDatabase } from '../platform.ts';

const { UnclearGroup, exportGroup, profileContents, writeCanonical } = await load.documents();

/** A slow reader of the output holds the one snapshot of the export open. */
const TIME_LIMITS = { statementTimeoutMs: 0, idleTransactionTimeoutMs: 0 };

type Options = Readonly<Record<'group' | 'out', string | undefined>>;

/** Exports the canonical document of a group, as of one instant. Throws CommandFailure. */
export async function exportDocument(call: LocalCall & { options: Options }): Promise<null> {
  const { group = null, out } = call.options;
  const config = configOf(call);
  await requireDatabase(config);
  await withDatabase(config, call, TIME_LIMITS, (database) =>
    toTarget(out, call, (write) => exportGroup(database, group, write)),
  ).catch((error: unknown) => {
    throw error instanceof UnclearGroup ? invalidUsage(error.message) : error;
  });
  return null;
}

/** Writes the group document of a sandbox profile in its canonical form. */
export async function generateDocument(
  call: LocalCall & {
    readonly args: { readonly profile: string };
    readonly options: Pick<Options, 'out'>;
  },
): Promise<null> {
  const profile = call.args.profile as Parameters<typeof profileContents>[0];
  const { restaurants, ...head } = profileContents(profile);
  await toTarget(call.options.out, call, (write) => writeCanonical(head, restaurants, write));
  return null;
}
