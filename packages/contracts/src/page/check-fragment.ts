import {
  defaultTreeAdapter,
  html as htmlNames,
  parseFragment,
  serialize,
  type DefaultTreeAdapterTypes,
} from 'parse5';
import { fragmentIdPrefix, sectionOwners } from './fragment.ts';
import type { RemoteName } from './remotes.ts';
import type { SectionId } from './shell-api.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** The component whose markup is checked. */
export interface FragmentSource {
  readonly remote: RemoteName;
  /** Exposed key, such as `./pricing`. */
  readonly exposed: string;
}

/** Context element for the parser, because the result depends on the parent. The page shows fragments in a `<div>`. */
const contextElement = defaultTreeAdapter.createElement('div', htmlNames.NS.HTML, []);

/**
 * Parses markup and serialises it again: every element is closed and every attribute is quoted. Fragments are
 * stored in this form, so that an unclosed tag cannot swallow the following markup.
 */
export function canonicalMarkup(html: string): string {
  return serialize(parseFragment(contextElement, html, {}));
}

/**
 * Finds the violations in a fragment that another part or the page's policy would suffer from: markup that is not canonical, scripts,
 * styles, event attributes and ids of other fragments. It does not defend against hostile teams, whose scripts run in the page anyway.
 *
 * @returns one message per violation, with line and column; empty if the fragment is valid
 */
export function checkFragment(html: string, source: FragmentSource): readonly string[] {
  const violations: string[] = [];
  const tree = parseFragment(contextElement, html, { sourceCodeLocationInfo: true });
  if (serialize(tree) !== html) {
    violations.push(
      'The markup is not closed and quoted as the HTML parser writes it, so it could swallow what follows. Store the parser’s serialisation.',
    );
  }
  const ids = new Set<string>();
  const visit = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (!('tagName' in node)) continue;
      for (const message of elementViolations(node, source, ids))
        violations.push(`${locationOf(node)}: ${message}`);
      visit(node.childNodes);
    }
  };
  visit(tree.childNodes);
  return violations;
}

function locationOf({ tagName, sourceCodeLocation }: Element): string {
  if (!sourceCodeLocation) return `<${tagName}>`;
  return `line ${sourceCodeLocation.startLine}, column ${sourceCodeLocation.startCol}, <${tagName}>`;
}

function elementViolations({ tagName, attrs }: Element, source: FragmentSource, ids: Set<string>): string[] {
  if (tagName === 'script' || tagName === 'style') {
    return ['this element is not allowed in a fragment. Remove it.'];
  }
  return attrs.flatMap(({ name, value }) => {
    if (name.startsWith('on')) {
      return [`${name} runs code, which the page refuses. Use an event handler of React.`];
    }
    if (name === 'style') return ['the page refuses inline styles. Use a class or an SVG attribute.'];
    return name === 'id' ? idViolations(value, source, ids) : [];
  });
}

function idViolations(id: string, { remote, exposed }: FragmentSource, ids: Set<string>): readonly string[] {
  if (ids.has(id)) return [`id="${id}" occurs twice.`];
  ids.add(id);
  const owner = Object.hasOwn(sectionOwners, id) ? sectionOwners[id as SectionId] : undefined;
  if (owner?.remote === remote && owner.exposed === exposed) return [];
  // React's `useId` begins with this, and libraries such as Radix put a prefix before it.
  if (id.includes(`_${fragmentIdPrefix(remote, exposed)}R_`)) return [];
  return [`id="${id}" may belong to another fragment. Make it with useId().`];
}
