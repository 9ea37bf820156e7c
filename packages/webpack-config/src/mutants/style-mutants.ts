import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import postcss, { type Node, type Position, type Source } from 'postcss';
import type { Mutant } from './insert-mutants.ts';
import { marksIn, reasonOf } from './marks.ts';

/**
 * Declarations whose loss may hide something, show it, or make it unusable. Not colours, because steps cannot ask for them, and the
 * invariants see whether texts are legible.
 */
const noticeable = /^(?:display|position|visibility|pointer-events|overflow(?:-[xy])?|z-index)$/;

/**
 * The mutants that drop one declaration of a part's own stylesheets.
 *
 * @param built folder with the built stylesheets, which are not minified, and their source maps
 */
export async function styleMutants(root: string, built: string): Promise<readonly Mutant[]> {
  const mutants: Mutant[] = [];
  for (const mapName of (await readdir(built)).filter((name) => name.endsWith('.css.map'))) {
    const style = mapName.replace('.map', '');
    const css = await readFile(join(built, style), 'utf8');
    const json = await readFile(join(built, mapName), 'utf8');
    const map = new SourceMap(JSON.parse(json) as SourceMapPayload);
    const originOf = ({ line, column }: Position) => {
      const origin = map.findEntry(line - 1, column - 1);
      if (!('originalSource' in origin)) return undefined;
      const [file] = /(?<=\/\.\/)src\/[^:]*\.css$/.exec(origin.originalSource) ?? [];
      return file === undefined ? undefined : { file, line: origin.originalLine + 1 };
    };
    postcss.parse(css).walkDecls(noticeable, (declaration) => {
      const [{ start, end } = {}, ...around] = sourcesOf(declaration);
      const origin = start && originOf(start);
      if (!origin || !end) return;
      const { file, line } = origin;
      const text = readFileSync(join(root, file), 'utf8');
      const lines = [
        firstRule(text),
        line,
        ...around.map((each) => each.start && originOf(each.start)?.line),
      ];
      const marks = marksIn(text).filter((mark) => lines.includes(mark.line));
      const change = `without ${declaration.prop}: ${declaration.value}`;
      mutants.push({
        id: `${style}#${start.offset}`,
        ...{ file, change, lines: [line, line], span: [start.offset, end.offset], place: '' },
        reason: reasonOf(marks, change),
        style: { file: style, start: start.offset, end: end.offset },
      });
    });
  }
  return mutants;
}

/** Where a declaration is, and the rules around it. */
function sourcesOf(declaration: Node): readonly Source[] {
  const sources = [];
  for (let node: Node | undefined = declaration; node && node.type !== 'root'; node = node.parent)
    if (node.source) sources.push(node.source);
  return sources;
}

/** The line of the first rule. Above it stands what is true of the whole file. */
const firstRule = (css: string) =>
  postcss.parse(css).nodes.find(({ type }) => type !== 'comment')?.source?.start?.line;
