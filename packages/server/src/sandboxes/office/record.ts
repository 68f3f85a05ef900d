import { insertEntry } from '../../audit/entry-store.ts';
import { originOf } from '../../audit/origin.ts';
import type { BackOfficeRequest } from '../../http/operation.ts';
import type { SandboxAdminDeps } from './deps.ts';

type Recorded = Pick<BackOfficeRequest, 'by' | 'requestId' | 'operation' | 'nowMs' | 'attest'>;
type Facts = Readonly<Record<string, unknown>> | null;

/** Beside the change, which is not one transaction: databases come and go by themselves. */
export async function recordSandboxChange(
  { database, realClock }: SandboxAdminDeps,
  request: Recorded,
  name: string,
  { before, after }: { readonly before: Facts; readonly after: Facts },
): Promise<void> {
  const subject = { kind: 'sandbox', id: name } as const;
  const origin = originOf(request, realClock);
  await database.transaction((sql) => insertEntry(sql, origin, { subject, before, after }));
}
