import { writeCanonical } from '@servery/server/backoffice/group-document/canonical.ts';
import { profileContents } from '@servery/server/sandbox/profile.ts';
import type { Terminal } from '../terminal.ts';
import { toTarget } from './export.ts';

/** The profiles that sandboxes are filled with. */
export const profiles = ['demo', 'empty', 'huge'] as const;

/** `servery generate PROFILE`: writes a profile's group document in its canonical form. */
export async function runGenerate(
  profile: (typeof profiles)[number],
  file: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const { restaurants, ...head } = profileContents(profile);
  await toTarget(file, terminal, (write) => writeCanonical(head, restaurants, write));
}
