import type { Config } from '../config/config.ts';
import type { OrderSettings } from '../orders/order-deps.ts';

export function orderSettingsOf(config: Config): OrderSettings {
  return {
    stock: config.ordersStock,
    repeat: config.ordersRepeat,
    percentTaxBasis: config.ordersPercentTaxBasis,
    autoFulfil: config.ordersAutoFulfil,
    kitchen: config.kind === 'sandbox' ? config.ordersKitchen : 'staff',
  };
}
