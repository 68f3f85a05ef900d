/** The currencies whose amounts have so many decimals: these or, if not `isOneOf`, all others. */
interface CurrencyClass {
  readonly decimals: number;
  readonly currencies: readonly string[];
  readonly isOneOf: boolean;
}

const USUAL_DECIMALS = 2;
const exceptional: readonly CurrencyClass[] = [
  exception(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  exception(3, 'BHD IQD JOD KWD LYD OMR TND'),
  exception(4, 'CLF UYW'),
];
const decimalsByCurrency = new Map(
  exceptional.flatMap(({ currencies, decimals }) =>
    currencies.map((one) => [one, decimals] as const),
  ),
);

function exception(decimals: number, currencies: string): CurrencyClass {
  return { decimals, currencies: currencies.split(' '), isOneOf: true };
}

/** How many decimals amounts of a currency have. */
export function minorUnitDecimals(currencyCode: string): number {
  return decimalsByCurrency.get(currencyCode) ?? USUAL_DECIMALS;
}

export const currencyClasses: readonly CurrencyClass[] = [
  {
    decimals: USUAL_DECIMALS,
    currencies: [...decimalsByCurrency.keys()],
    isOneOf: false,
  },
  ...exceptional,
];
