import type { TestEvent } from 'node:test/reporters';

/** How one test ended. */
export interface TestResult {
  readonly title: string;
  readonly passed: boolean;
  /** Node's word for the kind of failure, such as `testCodeFailure`; null when it passed. */
  readonly failureType: string | null;
  /** What the test said, in one line; null when it passed. */
  readonly complaint: string | null;
}

/** A reporter of Node's test runner: one JSON line for each test, a TestResult. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type === 'test:pass') yield line({ title: data.name });
    else if (type === 'test:fail') yield line({ title: data.name, error: data.details.error });
  }
}

function line({ title, error }: { title: string; error?: Error }): string {
  const cause = error?.cause instanceof Error ? error.cause : error;
  const result: TestResult = {
    title,
    passed: error === undefined,
    failureType: (error as { failureType?: string } | undefined)?.failureType ?? null,
    complaint: cause?.message.trim().replaceAll(/\s+/g, ' ') ?? null,
  };
  return `${JSON.stringify(result)}\n`;
}
