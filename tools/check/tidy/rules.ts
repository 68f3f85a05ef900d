import { checkArrows, checkCircles, checkLoaded } from './arrows.ts';
import { checkComments } from './comments.ts';
import type { Finding } from './finding.ts';
import { checkLinks } from './links.ts';
import { checkEnvironment, checkTime } from './ports.ts';
import { checkRuntimes } from './runtimes.ts';
import type { Source } from './source.ts';
import { checkSql } from './sql.ts';
import { checkTestsRun } from './tests-run.ts';
import { checkNames, checkTexts } from './texts.ts';
import { checkTouching } from './touching.ts';
import { checkTree } from './tree.ts';
import { checkTypes } from './types.ts';

/** The rules that judge one file by itself. */
const fileRules: readonly ((source: Source) => Finding[])[] = [
  checkTypes,
  checkEnvironment,
  checkTime,
  checkRuntimes,
  checkSql,
  checkTouching,
  checkLoaded,
  checkComments,
  checkTexts,
  checkNames,
  checkTestsRun,
];

/** Every finding in the files, in the order of the files and their lines, before exceptions. */
export function findAll(sources: readonly Source[]): Finding[] {
  const ofFiles = sources.flatMap((source) =>
    fileRules.flatMap((check) => check(source)).sort((one, other) => one.line - other.line),
  );
  return [
    ...ofFiles,
    ...checkArrows(sources),
    ...checkCircles(sources),
    ...checkTree(sources),
    ...checkLinks(sources),
  ];
}
