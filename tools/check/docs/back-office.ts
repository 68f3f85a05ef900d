import { operations } from '@servery/contract';

/** What docs/reference/back-office.md shows of the contract, by the name of its place in the page. */
export function backOfficeParts(): Record<string, string> {
  return { operations: operationsList() };
}

/** The operations below the scope that each needs. */
function operationsList(): string {
  const own = operations.filter((operation) => operation.interface === 'backOffice');
  const lines = own.map(({ id, method, path, scope, security }) => ({
    needs: scope ?? (security === 'bearer' ? '(a token or session)' : noScope[security]),
    line: `  ${method.padEnd(6)} ${path.replace('/backoffice/v1', '').padEnd(82)} ${id}\n`,
  }));
  const groups = Map.groupBy(lines, ({ needs }) => needs);
  const blocks = [...groups].map(
    ([needs, of]) => `${needs}\n${of.map(({ line }) => line).join('')}`,
  );
  return `\`\`\`text\n${blocks.join('\n')}\`\`\`\n`;
}

const noScope = { none: '(no token)', session: '(a session)' } as const;
