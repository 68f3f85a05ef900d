/** `@servery/client/menu`: the menu that a guest sees, and the price of a cart. */
export * from './guest-menu.ts';
export * from './price-of.ts';
export * from './sync-menus.ts';
