const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;

// A double keeps all numbers of 15 digits.
const LONG_NUMBER = /[-\d][\d.eE+-]{15,}/y;

export interface JsonScan {
  /** Colons outside of strings, counted over all objects. */
  readonly propertyCount: number;
  readonly tooDeepAt: number | null;
  readonly hasLongNumber: boolean;
}

/**
 * Works on invalid JSON too. The count reveals repeated names: JSON.parse silently keeps the last
 * one, so the value has fewer properties than the text.
 */
export function scanJson(text: string, maxDepth: number): JsonScan {
  let propertyCount = 0;
  let depth = 0;
  let hasLongNumber = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) propertyCount += 1;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > maxDepth) return { propertyCount, tooDeepAt: at, hasLongNumber };
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    else if (code >= DIGIT_ZERO && code <= DIGIT_NINE) {
      LONG_NUMBER.lastIndex = at;
      const isLong = LONG_NUMBER.test(text);
      hasLongNumber ||= isLong;
      if (isLong) at = LONG_NUMBER.lastIndex - 1;
    }
  }
  return { propertyCount, tooDeepAt: null, hasLongNumber };
}

function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}
