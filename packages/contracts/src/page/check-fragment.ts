import {
  defaultTreeAdapter,
  html as htmlNames,
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
 * Checks a fragment against the allow-list: no scripts, foreign URLs or form targets, inline styles, ids of
 * other fragments, or unclosed markup.
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
  /** Ids that occur earlier in the fragment. The check of an id adds it. */
  readonly ids: Set<string>;
}

type AttributeCheck = (value: string, context: AttributeContext) => readonly string[];

/** Elements whose `name` concerns a form or a group, and stays off `document`. */
const elementsWithName: ReadonlySet<string> = new Set([
  'input',
  'select',
  'textarea',
  'button',
  'output',
  'fieldset',
  'details',
]);

/** A name such as `none` or `red`, a colour with or without variables of the stylesheet, or an element of the page. */
const paint =
  /^(?:[a-z]+|context-(?:fill|stroke)|#[\da-f]{3,8}|var\(--[\w-]+\)|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix)\((?:[\w\s%.,/+#-]|var\(--[\w-]+\))*\)|url\((["']?)#[\w-]+\1\))$/i;

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
  // Prevents DOM clobbering: on other elements, `name` becomes a property of `document` and can hide a built-in one.
  name: (_value, { tagName }) =>
    elementsWithName.has(tagName) ? [] : ['the attribute name is allowed on form controls only.'],
  target: (value) =>
    value === '_blank' || value === '_self' ? [] : [`target="${value}" is not allowed. Use _blank.`],
  ...Object.fromEntries(
    ['fill', 'stroke', 'color', 'stop-color', 'mask', 'clip-path'].map((name) => [
      name,
      (value: string) =>
        paint.test(value) ? [] : [`${name}="${value}" may load a file. Use a colour, none, or url(#id).`],
    ]),
  ),
};

function checkId(id: string, { source, ids }: AttributeContext): readonly string[] {
  const { remote, exposed } = source;
  if (ids.has(id)) return [`id="${id}" occurs twice.`];
  ids.add(id);
  const owner = Object.hasOwn(sectionOwners, id) ? sectionOwners[id as SectionId] : undefined;
  if (owner?.remote === remote && owner.exposed === exposed) return [];
  // Libraries such as Radix put a prefix before the id.
  if (id.includes(`_${fragmentIdPrefix(remote, exposed)}R_`)) return [];
  return [`id="${id}" may belong to another fragment. Make it with useId().`];
}

/** Whether a link target is an anchor, a path of this site, or the application behind the login. */
function isLinkTarget(value: string): boolean {
  return (
    /^#[\w-]*$/.test(value) ||
    /^\/(?![/\\])[\w./-]*(#[\w-]*)?$/.test(value) ||
    value === fragmentPlaceholders.appHost ||
    value.startsWith(`${fragmentPlaceholders.appHost}/`)
  );
}

/** Files must belong to the build of the same part. */
function checkFile(address: string, { source }: AttributeContext): readonly string[] {
  const [root, part, ...path] = address.replace(/\?v=[\w.-]+$/, '').split('/');
  const isFile = path.length > 0 && path.every((name) => /^(?!\.\.?$)[\w.@-]+$/.test(name));
  if (root === '' && part === source.remote && isFile) return [];
  return [`"${address}" is not a file of this part. Import it in the component.`];
}
