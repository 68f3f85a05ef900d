import type { Person } from '@servery/contract';
import { type Remote, readPages } from '../back-office.ts';

const PATH = '/backoffice/v1/people';
const LOOKED_AT = 2_000;

/** The people within reach who have that name or e-mail address, in capitals or not. */
export async function peopleCalled(remote: Remote, text: string): Promise<readonly Person[]> {
  const wanted = text.trim().toLowerCase();
  const { results } = await readPages<Person>(remote, PATH, {}, LOOKED_AT);
  return results.filter(({ email, name }) => [email, name.toLowerCase()].includes(wanted));
}
