import { type Defect, plant } from './defect.ts';

/** Every planted defect. */
export const defects: readonly Defect[] = [
  {
    name: 'processor-key-random',
    why: 'Nobody could ask what became of a call: its key is recorded nowhere.',
    plants: [
      plant(
        () => import('../../../packages/server/src/payments/processors/processor.ts'),
        'authorizationKey',
        (key) => (paymentId, attempt) => `${key(paymentId, attempt)}:${Math.random()}`,
      ),
    ],
    tests: ['payments/durability'],
  },
];
