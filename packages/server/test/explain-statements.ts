import type { Sql } from '../src/database/database.ts';

/** The statement of a store gives its plan instead, which is added to `plans`. */
export function explainStatements(sql: Sql, plans: string[]): Sql {
  return ((strings: TemplateStringsArray, ...values: unknown[]) => {
    const call = sql as unknown as (...parts: unknown[]) => Promise<Record<string, string>[]>;
    const isStatement = /^\s*(select|with) /.test(strings[0] ?? '');
    if (!isStatement) return call(strings, ...values);
    const [first = '', ...others] = strings;
    const explained = Object.assign([`explain ${first}`, ...others], { raw: strings.raw });
    return call(explained, ...values).then((lines) => {
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
      return [];
    });
  }) as unknown as Sql;
}
