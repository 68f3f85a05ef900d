import fc from 'fast-check';

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;

/**
 * Any character of Unicode, but no half of a pair, as a unit of `fc.string`. It is what fast-check
 * calls `binary`, without the table of all 1.1 million of them, which costs seconds per process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - SURROGATES)
  .map((nth) => String.fromCodePoint(nth < SURROGATES_FROM ? nth : nth + SURROGATES), nthOf);

/** What fast-check calls `webUrl`, without that table. */
export const anyUrl: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.webAuthority(),
    fc.array(fc.string({ unit: anyCharacter, maxLength: 8 }), { maxLength: 4 }),
  )
  .map(([scheme, host, path]) =>
    [`${scheme}://${host}`, ...path.map(encodeURIComponent)].join('/'),
  );

/** Which character it is, so that fast-check can put words that break programs among the texts. */
function nthOf(character: unknown): number {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== character) {
    throw new Error('it is not one character');
  }
  return point < SURROGATES_FROM ? point : point - SURROGATES;
}
