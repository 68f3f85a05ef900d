import { writeCanonical } from '@servery/server/group-document/canonical.ts';
import { profileContents } from '@servery/server/sandbox/profile.ts';
import { toTarget } from '../output-file.ts';
import type { CommandContext } from '../platform.ts';

/** What sandboxes are filled with. */
export type Profile = Parameters<typeof profileContents>[0];

/** `servery generate PROFILE`: writes a profile's group document in its canonical form. */
export async function runGenerate(
  profile: Profile,
  file: string | undefined,
  context: CommandContext,
): Promise<void> {
  const { restaurants, ...head } = profileContents(profile);
  await toTarget(file, context, (write) => writeCanonical(head, restaurants, write));
}
