import type { Person } from '@servery/contract';
import { type Remote, readPages } from '../back-office.ts';
import { didYouMean } from './did-you-mean.ts';

const PATH = '/backoffice/v1/people';
const LOOKED_AT = 2_000;

/** The people within reach who have that name or e-mail address, in capitals or not. */
export async function peopleCalled(remote: Remote, text: string): Promise<readonly Person[]> {
  const wanted = text.trim().toLowerCase();
  return (await everybody(remote)).filter(({ email, name }) =>
    [email, name.toLowerCase()].includes(wanted),
  );
}

/** Who was probably meant, for a sentence; empty for nobody. */
export async function peopleMeant(remote: Remote, text: string): Promise<string> {
  const people = await everybody(remote);
  const wanted = text.includes('@') ? people.map(({ email }) => email) : people.map(nameOf);
  return didYouMean(text, wanted);
}

function nameOf({ name }: Person): string {
  return name;
}

async function everybody(remote: Remote): Promise<readonly Person[]> {
  return (await readPages<Person>(remote, PATH, {}, LOOKED_AT)).results;
}
