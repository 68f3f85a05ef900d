import { operations } from '@servery/contract';

/** What docs/reference/back-office.md shows of the contract, by the name of its place in the page. */
export function backOfficeParts(): Record<string, string> {
  return { operations: operationsList() };
}

/** Each scope with the operations that it allows. */
function operationsList(): string {
  const own = operations.filter((operation) => operation.interface === 'backOffice');
  const needs = own.map(({ id, scope, security }) => ({
    need: scope ? `\`${scope}\`` : noScope[security],
    name: `\`${id.replace('backOffice.', '')}\``,
  }));
  const groups = Map.groupBy(needs, ({ need }) => need);
  const lines = [...groups].map(
    ([need, of]) => `- ${need}: ${of.map(({ name }) => name).join(', ')}\n`,
  );
  return lines.join('');
}

const noScope = { none: 'no token', session: 'a session', bearer: 'a token or session' } as const;
