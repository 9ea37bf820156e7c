import type { Result } from './search-mutants.ts';

/** Lines for people: what would not be noticed, first what a visitor sees as the page opens, by the place that it belongs to. */
export function describeResults(part: string, all: readonly Result[]): readonly string[] {
  const results = all.filter(({ mutant: { reason } }) => reason === undefined);
  const left = results.filter(({ noticedBy }) => noticedBy === undefined);
  const unnoticed = left.filter(({ isTried }) => isTried);
  const untried = left.length - unnoticed.length;
  const marked = all.length - results.length;
  const counts = [
    `${results.length} changes of ${part}: ${unnoticed.length} would not be noticed`,
    ...(untried > 0 ? [`${untried} were not tried in time`] : []),
    ...(marked > 0 ? [`${marked} others are marked beside the code`] : []),
  ];
  const visible = unnoticed.filter(({ isVisible }) => isVisible);
  const others = unnoticed.filter(({ isVisible }) => !isVisible);
  return [
    ...section('Pictures differ:', part, visible),
    ...section('No picture of the page as it opens differs:', part, others),
    counts.join(', '),
  ];
}

function section(title: string, part: string, results: readonly Result[]): readonly string[] {
  if (results.length === 0) return [];
  const byPlace = Map.groupBy(results, ({ mutant: { file, place } }) => `${part}/${file} ${place}`.trim());
  return [
    title,
    ...[...byPlace].flatMap(([place, found]) => [
      `  ${place}`,
      ...found.flatMap((each) => lineOf(part, each)),
    ]),
    '',
  ];
}

function lineOf(part: string, { mutant: { file, lines, change }, steps }: Result): readonly string[] {
  const line = `    ${part}/${file}:${lines[0]}  ${change}`;
  return steps.length === 0 ? [line] : [line, `      a step that would notice it: ${steps.join(', ')}`];
}
