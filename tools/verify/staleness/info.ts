/** What a restaurant says of itself at a label, in fields that lie in different parts of it. */
export function infoPatch(tag: string, label: number) {
  return {
    general: {
      name: `${tag} ${label}`,
      locationName: `${tag} at ${label}`,
      description: `${tag} says ${label}`,
    },
    urls: { website: `https://${tag}.example/${label}` },
    location: { address1: `${tag} street ${label}` },
  };
}

/** Texts of a restaurant as partners read them. */
export type InfoTexts = readonly unknown[];

/** Reads the label out of texts of a restaurant; null when they are not all of one label. */
export function labelOf(tag: string, texts: InfoTexts): number | null {
  const labels = texts.map((text) => {
    const found = typeof text === 'string' && text.includes(tag) ? /(\d+)$/.exec(text)?.[1] : null;
    return found ? Number(found) : null;
  });
  const [first = null] = labels;
  return labels.every((label) => label === first) ? first : null;
}
