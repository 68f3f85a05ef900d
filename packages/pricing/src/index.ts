export { priceInForce, sizeGroupOf } from './item-price.ts';
export { judgeDiscounts } from './judge-discounts.ts';
export { isInForce, type LocalTime, localTime } from './local-time.ts';
export { currencyClasses, minorUnitDecimals } from './minor-units.ts';
export { priceCheck } from './price-check.ts';
export { priceOrder, resolveCheck } from './price-order.ts';
export { resolveSelection } from './resolve-selection.ts';
export type * from './types.ts';
