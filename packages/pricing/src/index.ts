export { judgeDiscounts } from './judge-discounts.ts';
export { localTime } from './local-time.ts';
export { priceCheck } from './price-check.ts';
export { priceOrder, resolveCheck } from './price-order.ts';
export { resolveSelection } from './resolve-selection.ts';
export type * from './types.ts';
