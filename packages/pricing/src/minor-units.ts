const USUAL_DECIMALS = 2;
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
  return decimalsByCurrency[currencyCode] ?? USUAL_DECIMALS;
}

/** The currencies whose amounts have so many decimals: these or, if not `isOneOf`, all others. */
interface CurrencyClass {
  readonly decimals: number;
  readonly currencies: readonly string[];
  readonly isOneOf: boolean;
}

const exceptional = Object.entries(decimalsByCurrency);

export const currencyClasses: readonly CurrencyClass[] = [
  {
    decimals: USUAL_DECIMALS,
    currencies: exceptional.map(([currency]) => currency),
    isOneOf: false,
  },
  ...[...Map.groupBy(exceptional, ([, count]) => count)].map(([count, entries]) => ({
    decimals: count,
    currencies: entries.map(([currency]) => currency),
    isOneOf: true,
  })),
];
