/** `@servery/testing/teardown`: for Jest, which has a module of its own for it. */
export { teardown as default } from './setup.ts';
