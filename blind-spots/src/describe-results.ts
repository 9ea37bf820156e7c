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
  const visibleFirst = unnoticed.toSorted(
    (one, other) => Number(other.isVisible ?? 0) - Number(one.isVisible ?? 0),
  );
  const sections = [...Map.groupBy(visibleFirst, titleOf)].flatMap(([title, found]) => {
    const places = Map.groupBy(found, ({ mutant: { file, place } }) =>
      `  ${part}/${file} ${place}`.trimEnd(),
    );
    return [title, ...[...places].flatMap(([place, those]) => [place, ...those.flatMap(linesOf)]), ''];
  });
  return [...sections, counts.join(', ')];

  function linesOf({ mutant: { file, lines, change }, hint }: Result): readonly string[] {
    const line = `    ${part}/${file}:${lines[0]}  ${change}`;
    return hint === undefined ? [line] : [line, `      ${hint}`];
  }
}

function titleOf({ isVisible }: Result): string {
  if (isVisible === undefined) return 'Time did not suffice for pictures:';
  return isVisible ? 'Pictures differ:' : 'No picture of the page as it opens differs:';
}
