import cardValidator from 'card-validator';

/** What the leading digits of a card number say of it. */
export interface CardType {
  /** As the library of card types calls its brand, such as `american-express`. */
  readonly name: string;
  /** How many digits numbers of the brand have. */
  readonly lengths: readonly number[];
  /** Digits of its security code. */
  readonly codeLength: number;
}

/** Numbers that begin with `first` to `last`, which have so many digits. */
interface Leading {
  readonly digits: number;
  readonly first: number;
  readonly last: number;
  readonly type: CardType;
}

const { creditCardType } = cardValidator;
/**
 * The leading digits of each brand. They are worked out once: the library clones the types that fit
 * each time it is asked, and a hostile text asks very often.
 */
const brands: readonly (readonly Leading[])[] = Object.values(creditCardType.types).map((name) => {
  const { patterns, lengths, code } = creditCardType.getTypeInfo(name);
  const type = { name, lengths, codeLength: code.size };
  return patterns.map((pattern) => {
    const [first, last] = Array.isArray(pattern) ? pattern : [pattern, pattern];
    return { digits: String(first).length, first: Number(first), last: Number(last), type };
  });
});
const MOST_LEADING = Math.max(...brands.flat().map(({ digits }) => digits));

/**
 * The brand that has the most of a card number's leading digits; null for a range of none. `digits`
 * has 12 at least, and nothing of it is kept.
 */
export function cardTypeOf(digits: string): CardType | null {
  const leading: number[] = [0];
  for (let count = 1; count <= MOST_LEADING; count += 1) {
    leading.push((leading[count - 1] ?? 0) * 10 + Number(digits[count - 1]));
  }
  let best: Leading | undefined;
  for (const patterns of brands) {
    const found = patterns.find((each) => {
      const own = leading[each.digits] ?? 0;
      return each.first <= own && own <= each.last;
    });
    if (found && found.digits > (best?.digits ?? 0)) best = found;
  }
  return best?.type ?? null;
}

/** The brand of a card number as it goes into `cardBrand`, `UNKNOWN` for a range of no brand. */
export function brandOf(cardNumber: string): string {
  const type = cardTypeOf(cardNumber);
  if (!type) return 'UNKNOWN';
  const { name } = type;
  return name === 'american-express' ? 'AMEX' : name.replaceAll('-', '_').toUpperCase();
}
