/** `modifierTaxBehavior` and `MODIFIER_TAX` as people write them. */
export function humanized(name: string): string {
  const words = /^[A-Z\d_]+$/.test(name)
    ? name.toLowerCase().replaceAll('_', ' ')
    : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
