/**
 * A page with its generated parts renewed: what stands between `<!-- name: … -->` and
 * `<!-- end of name -->` is replaced, each part exactly once. Throws when the page has no place
 * for one of them.
 */
export function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const place = new RegExp(`(<!-- ${name}: [^>]*-->\\n)[^]*?(<!-- end of ${name} -->)`, 'g');
    const found = [...text.matchAll(place)].length;
    if (found !== 1) throw new Error(`the page has ${found} places for its part "${name}"`);
    return text.replace(place, (_all, begin: string, end: string) => `${begin}\n${part}\n${end}`);
  }, page);
}
