import { escapedHtml } from '../edge/html-page.ts';

/** Markup that needs no escaping anymore. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Inner = Html | string | number | null | undefined | false | readonly Inner[];

/** Escapes all that is not Html. Null, undefined and false are nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Inner[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(markupOf)));
}

function markupOf(value: Inner): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(markupOf).join('');
  return escapedHtml(String(value));
}
