/** East Asian characters and pictures, which take two columns of a terminal. */
const WIDE = new RegExp(
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{Emoji_Presentation}' +
    '\\u3000-\\u303f\\u30fc\\uff01-\\uff60\\uffe0-\\uffe6]',
  'u',
);
/** Marks that stand above or below the character before them. */
const MARK = /[\p{Mn}\p{Me}\p{Cf}]/u;

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (!MARK.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

export function padColumns(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
