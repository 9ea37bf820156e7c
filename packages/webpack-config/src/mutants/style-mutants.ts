import { existsSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import postcss, { type Node } from 'postcss';
import type { LoaderDefinition, RuleSetUseItem } from 'webpack';
import type { Mutant } from './insert-mutants.ts';
import { fileMarksIn, marksIn, reasonOf } from './marks.ts';

interface StyleMutants {
  /** Absolute path of the part's folder. */
  readonly root: string;
  /** Gets the mutants by id. */
  readonly found: Map<string, Mutant>;
}

/** The loader for a rule of webpack. Runs before css-loader. */
export function styleMutantLoader(options: StyleMutants): RuleSetUseItem {
  return { loader: import.meta.filename, options };
}

/**
 * Declarations whose loss may hide something, show it, or make it unusable. Not colours, because steps cannot ask for them, and the
 * invariants see whether texts are legible.
 */
const noticeable = /^(?:display|position|visibility|pointer-events|overflow(?:-[xy])?|z-index)$/;

/** Elements are shown without it as well, unless the stylesheet has hidden them before. */
const layout = /^(?:inline-)?(?:flex|grid)$/;

const lineOf = (node: Node | undefined) => node?.source?.start?.line ?? 0;

/** Finds the mutants of a part's own stylesheets, each of which drops a declaration. Puts their ids before the declarations, as comments. */
const markDeclarations: LoaderDefinition<StyleMutants> = function markDeclarations(css) {
  const { root, found } = this.getOptions();
  const file = relative(root, this.resourcePath).replaceAll(sep, '/');
  if (!file.startsWith('src/')) return css;
  const sheet = postcss.parse(css);
  const marks = marksIn(css);
  // Above the first rule stands what is true of the whole file.
  const firstRule = sheet.nodes.find(({ type }) => type !== 'comment');
  const module = this.resourcePath.replace(/\.module\.css$/, '.tsx');
  const ofModule = existsSync(module) ? fileMarksIn(readFileSync(module, 'utf8')) : [];
  const hidden: string[] = [];
  let count = 0;
  sheet.walkDecls(noticeable, (declaration) => {
    const { parent, prop, value } = declaration;
    const selectors = parent instanceof postcss.Rule ? parent.selectors : [];
    const showsAgain = selectors.some((selector) => hidden.some((other) => selector.endsWith(other)));
    if (layout.test(value) && !showsAgain) return;
    if (`${prop}: ${value}` === 'display: none') hidden.push(...selectors);
    count += 1;
    const id = `${file}#${count}`;
    const line = lineOf(declaration);
    const lines = [firstRule, ...withParents(declaration)].map(lineOf);
    const { start, end } = declaration.source ?? {};
    const change = `without ${prop}: ${value}`;
    const around = [...marks.filter((mark) => lines.includes(mark.line)), ...ofModule];
    found.set(id, {
      ...{ id, file, lines: [line, line], place: '', change, reason: reasonOf(around, change) },
      span: [start?.offset ?? 0, end?.offset ?? 0],
    });
    declaration.before({ text: id });
  });
  return sheet.toString();
};

/** A declaration, and the rules around it. */
function withParents(node: Node): readonly Node[] {
  return node.parent && node.parent.type !== 'root' ? [node, ...withParents(node.parent)] : [node];
}

/** A built stylesheet, which is not minified, without the declarations of some mutants. */
export function withoutDeclarations(css: string, ids: readonly string[]): string {
  const declarations = /\/\* (src\/\S+#\d+) \*\/\s*[^;}]*;?/g;
  return css.replaceAll(declarations, (text, id: string) => (ids.includes(id) ? '' : text));
}

export default markDeclarations;
