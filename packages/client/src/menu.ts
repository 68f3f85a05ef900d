/** `@servery/client/menu`: what a guest sees, and what a cart costs. */
export * from './guest-menu.ts';
export * from './price-of.ts';
export * from './sync-menus.ts';
