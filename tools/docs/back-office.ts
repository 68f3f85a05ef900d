import { operations } from '@servery/contract';
import { table } from './table.ts';

/** What docs/reference/back-office.md shows of the contract, by the name of its place in the page. */
export function backOfficeParts(): Record<string, string> {
  return { operations: operationsTable() };
}

function operationsTable(): string {
  const rows = operations
    .filter((operation) => operation.interface === 'backOffice')
    .map(({ id, method, path, scope, security }) => [
      `\`${id}\``,
      `\`${method} ${path.replace('/backoffice/v1', '')}\``,
      scope ? `\`${scope}\`` : security === 'session' ? 'a session' : '–',
    ]);
  return table(['Operation', 'Request', 'Scope'], rows);
}
