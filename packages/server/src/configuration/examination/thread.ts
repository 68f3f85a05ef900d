// First, because what is imported below may use it at once.
import '@servery/support/temporal.ts';

import { parentPort } from 'node:worker_threads';
import { ApiError } from '../../http/errors.ts';
import { call, type ExaminationName, ExaminationWork } from './work.ts';

export interface Question {
  readonly number: number;
  readonly name: ExaminationName;
  readonly values: readonly unknown[];
}

export type Reply = { readonly number: number } & (
  | { readonly kind: 'answer'; readonly answer: unknown }
  | {
      readonly kind: 'refusal';
      readonly refusal: Pick<
        ApiError,
        'errorClass' | 'message' | 'faults' | 'headers' | 'developerMessage'
      >;
    }
  | { readonly kind: 'failure'; readonly error: unknown }
);

const work = new ExaminationWork();

parentPort?.on('message', ({ number, name, values }: Question) => {
  parentPort?.postMessage({ number, ...answerTo(name, values) } satisfies Reply);
});

function answerTo(name: ExaminationName, values: readonly unknown[]) {
  try {
    return { kind: 'answer', answer: call(work, name, values) } as const;
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'failure', error } as const;
    const { errorClass, message, faults, headers, developerMessage } = error;
    const refusal = { errorClass, message, faults, headers, developerMessage };
    return { kind: 'refusal', refusal } as const;
  }
}
