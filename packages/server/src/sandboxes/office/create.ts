import { randomBytes } from 'node:crypto';
import { type CreateSandbox, sandboxTtl } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import type { Faults } from '../../http/faults.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { profileNames } from '../../sandbox/profile.ts';
import { MAIN, type Origin, requireProfile } from '../lifecycle.ts';
import { type SandboxAdminDeps, sandboxesOf } from './deps.ts';
import { ownFields } from './on-wire.ts';
import { endAfter } from './read-ttl.ts';
import { recordSandboxChange } from './record.ts';

const CREATED = 201;
const RESERVED: readonly string[] = [MAIN, ...profileNames];

export const createSandboxHandler =
  (deps: SandboxAdminDeps): HandlerOf<'backOffice.sandboxes.create'> =>
  async (request) => {
    const { body, by: createdBy, baseUrl, faults } = request;
    const { lifecycle } = sandboxesOf(deps);
    const nowMs = deps.realClock.nowMs();
    const createdAt = new Date(nowMs);
    const { name = newName(), ttl = sandboxTtl.byDefault } = body;
    if (RESERVED.includes(name)) {
      faults.add(['name'], `must not be one of ${RESERVED.join(', ')}: they are reserved`);
    }
    const expiresAt = endAfter(ttl, nowMs, ['ttl'], faults);
    const from = originOf(body.from, faults);
    faults.refuse();
    const made = await lifecycle.create({ name, createdAt, createdBy, expiresAt }, from);
    const { sandbox, demo } = made;
    await recordSandboxChange(deps, request, name, { before: null, after: { from, expiresAt } });
    return { status: CREATED, json: { ...ownFields(sandbox, baseUrl), demo } };
  };

function newName(): string {
  return `sandbox-${randomBytes(4).toString('hex')}`;
}

function originOf({ profile, sandbox, snapshot }: CreateSandbox['from'], faults: Faults): Origin {
  if ((profile === undefined) === (sandbox === undefined)) {
    faults.add(['from'], 'must name either a profile or a sandbox');
  }
  if (snapshot !== undefined && sandbox === undefined) {
    faults.add(['from', 'snapshot'], 'must come with the sandbox that it is a snapshot of');
  }
  faults.refuse();
  if (profile !== undefined) return { profile: requireProfile(profile) };
  if (sandbox === undefined)
    throw new ApiError('badRequest', 'from must name a profile or a sandbox.');
  return { sandbox, ...(snapshot !== undefined && { snapshot }) };
}
