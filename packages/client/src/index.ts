export { operations } from './operations.ts';
export * from './transport.ts';
