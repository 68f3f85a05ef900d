export { type Answers, type Bodies, type CallableId, operations } from './operations.ts';
export * from './transport.ts';
