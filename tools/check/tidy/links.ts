import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FENCED = /^(```+|~~~+).*?^\1/gms;
const CODE = /(`+)[^`]+\1/g;
/** The target of a link or picture in Markdown; not of one to another site. */
const LINK = /\]\((?!\w+:)([^)\s]+)\)/g;
/** A page that code names. */
const PAGE = /(?<![\w./-])docs\/[\w/-]+\.md\b/g;

/** Holds links between pages, their anchors, and the pages that code names to what is there. */
export function checkLinks(sources: readonly Source[]): Finding[] {
  const pages = sources.filter(({ path }) => path.endsWith('.md'));
  const anchors = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]));
  const fault = (from: string, target: string): string | null => {
    const [path = '', anchor] = decodeURI(target).split('#');
    const file = path === '' ? from : posix.join(posix.dirname(from), path);
    if (!existsSync(posix.join(ROOT, file))) return `There is no \`${file}\`.`;
    if (anchor === undefined || anchors.get(file)?.has(anchor)) return null;
    return `\`${file}\` has no heading \`#${anchor}\`.`;
  };
  const links = pages.flatMap(({ path, text, lineAt }) =>
    [...prose(text).matchAll(LINK)].map(({ 1: target = '', index }) => ({
      ...{ path, line: lineAt(index) },
      message: fault(path, target),
    })),
  );
  const others = sources.filter((source) => !pages.includes(source));
  const named = others.flatMap(({ path, text, lineAt }) =>
    [...text.matchAll(PAGE)].map(({ 0: page, index }) => ({
      ...{ path, line: lineAt(index) },
      message: existsSync(posix.join(ROOT, page)) ? null : `There is no \`${page}\`.`,
    })),
  );
  return [...links, ...named].flatMap(({ path, line, message }) =>
    message === null
      ? []
      : [{ path, line, rule: 'link', message: `${message} Use one that is there instead.` }],
  );
}

/** A page with the same offsets, without its code, where brackets are no links. */
function prose(text: string): string {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ');
  return text.replace(FENCED, blank).replace(CODE, blank);
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = text.replace(FENCED, '').matchAll(/^#{1,6} +(.+?) *$/gm);
  return new Set(
    [...headings].map(([, heading = '']) => {
      const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      const anchor = shown.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
      const before = seen.get(anchor) ?? 0;
      seen.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}
