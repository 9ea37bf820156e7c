import {
  defaultTreeAdapter,
  html as standard,
  parseFragment,
  serialize,
  type DefaultTreeAdapterTypes,
} from 'parse5';
import { allowedElements, isAllowedAttribute } from './fragment-markup.ts';
import { fragmentIdPrefix, fragmentPlaceholders, sectionOwners } from './fragment.ts';
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

/** The page shows a fragment in an element of this kind. What the parser makes of markup depends on what it stands in. */
const parent = defaultTreeAdapter.createElement('div', standard.NS.HTML, []);

/**
 * Markup as the HTML parser understands it, written out again: every element is closed, every attribute is quoted. A
 * fragment is stored in this form, so that it cannot swallow what follows it in the page.
 */
export function canonicalMarkup(html: string): string {
  return serialize(parseFragment(parent, html, {}));
}

/**
 * Finds everything in a fragment that could harm the page: code, foreign addresses and form targets, inline styles, ids
 * of other fragments, unclosed markup.
 *
 * @returns one sentence for each violation, with line and column; empty when the fragment may be shown
 */
export function checkFragment(html: string, source: FragmentSource): readonly string[] {
  const violations: string[] = [];
  const tree = parseFragment(parent, html, { sourceCodeLocationInfo: true });
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
        violations.push(`${placeOf(node)}: ${message}`);
      visit(node.childNodes);
    }
  };
  visit(tree.childNodes);
  return violations;
}

function placeOf({ tagName, sourceCodeLocation }: Element): string {
  if (!sourceCodeLocation) return `<${tagName}>`;
  return `line ${sourceCodeLocation.startLine}, column ${sourceCodeLocation.startCol}, <${tagName}>`;
}

function elementViolations({ tagName, attrs }: Element, source: FragmentSource, ids: Set<string>): string[] {
  if (!allowedElements.has(tagName)) return ['this element is not allowed in a fragment. Remove it.'];
  return attrs.flatMap(({ prefix, name, value }) => {
    const fullName = prefix ? `${prefix}:${name}` : name;
    if (fullName.startsWith('on')) {
      return [`${fullName} runs code, which the page refuses. Use an event handler of React.`];
    }
    if (fullName === 'style') return ['the page refuses inline styles. Use a class or an SVG attribute.'];
    if (!isAllowedAttribute(fullName))
      return [`the attribute ${fullName} is not allowed in a fragment. Remove it.`];
    const check = attributeChecks[fullName];
    return check?.(value, { tagName, source, ids }) ?? [];
  });
}

interface AttributeContext {
  readonly tagName: string;
  readonly source: FragmentSource;
  /** Ids that were met before. */
  readonly ids: Set<string>;
}

type AttributeCheck = (value: string, context: AttributeContext) => readonly string[];

const formControls: ReadonlySet<string> = new Set([
  'input',
  'select',
  'textarea',
  'button',
  'output',
  'fieldset',
  'details',
]);

const attributeChecks: Readonly<Record<string, AttributeCheck>> = {
  id: checkId,
  href: (value) =>
    isLinkTarget(value)
      ? []
      : [`href="${value}" leads to another site. Link to the page or to shell.page.appHost.`],
  action: (value) =>
    /^\/api\/[\w/-]+$/.test(value) ? [] : [`the form is sent to "${value}". Send it to a path below /api/.`],
  src: checkFile,
  srcset: (value, context) =>
    value.split(',').flatMap((candidate) => checkFile(candidate.trim().split(/\s/)[0] ?? '', context)),
  // On other elements, a name becomes a property of `document` and can hide one that scripts rely on.
  name: (_value, { tagName }) =>
    formControls.has(tagName) ? [] : ['the attribute name is allowed on form controls only.'],
  target: (value) =>
    value === '_blank' || value === '_self' ? [] : [`target="${value}" is not allowed. Use _blank.`],
  ...Object.fromEntries(
    ['fill', 'stroke', 'mask', 'clip-path'].map((name) => [
      name,
      (value: string) =>
        /url\((?!["']?#)/i.test(value)
          ? [`${name}="${value}" loads a file. Refer to an id in the fragment.`]
          : [],
    ]),
  ),
};

function checkId(id: string, { source, ids }: AttributeContext): readonly string[] {
  const { remote, exposed } = source;
  if (ids.has(id)) return [`id="${id}" occurs twice.`];
  ids.add(id);
  const owner = Object.hasOwn(sectionOwners, id) ? sectionOwners[id as SectionId] : undefined;
  if (owner?.remote === remote && owner.exposed === exposed) return [];
  // Libraries put their own name before it.
  if (id.includes(`_${fragmentIdPrefix(remote, exposed)}R_`)) return [];
  return [`id="${id}" may belong to another fragment. Make it with useId().`];
}

/** An anchor, a path of this site, or the application behind the login. */
function isLinkTarget(value: string): boolean {
  return (
    /^#[\w-]*$/.test(value) ||
    /^\/(?![/\\])[\w./-]*(#[\w-]*)?$/.test(value) ||
    value === fragmentPlaceholders.appHost ||
    value.startsWith(`${fragmentPlaceholders.appHost}/`)
  );
}

/** A picture travels with its part. */
function checkFile(address: string, { source }: AttributeContext): readonly string[] {
  if (address.startsWith(`/${source.remote}/`) && !address.includes('..')) return [];
  return [`"${address}" is not a file of this part. Import it in the component.`];
}
