const decimalsByCurrency: Readonly<Record<string, number>> = {
  ...decimals(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...decimals(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...decimals(4, 'CLF UYW'),
};

function decimals(count: number, currencies: string): Record<string, number> {
  return Object.fromEntries(currencies.split(' ').map((currency) => [currency, count]));
}

/** How many decimals amounts of a currency have. */
export function minorUnitDecimals(currencyCode: string): number {
  return decimalsByCurrency[currencyCode] ?? 2;
}
