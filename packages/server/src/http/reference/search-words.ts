/** What people in restaurants call things, by the operations that the search then finds. */
const words: readonly (readonly [operations: RegExp, words: string])[] = [
  [/^stock\.|\.stock\./, "86 86'd eighty-six oos sold out soldout availability inventory"],
  [/\.payments\.void$|^orders\.void$|\.orders\.void$/, 'refund cancel reverse chargeback'],
  [/\.payments\.update$|\.payments\.tip$/, 'tip gratuity'],
  [/^creditCards\.authorize$/, 'charge card pay hold preauth'],
  [/\.payments\.capture$/, 'charge settle'],
  [/^restaurants\.(get|listGroup)$/, 'opening hours schedule location store address'],
  [/\.webhooks\./, 'webhook signature secret hmac callback subscription'],
  [/^menus\./, 'items prices modifiers catalog'],
  [/^orders\.price$/, 'quote total tax cart basket'],
  [/^orders\.place$/, 'checkout submit create ticket'],
  [/iscounts/, 'coupon promo code'],
  [/^auth\.(login|token)$/, 'sign in api key credentials oauth'],
];

export function searchWordsOf(id: string): string {
  return words.flatMap(([operations, own]) => (operations.test(id) ? [own] : [])).join(' ');
}
