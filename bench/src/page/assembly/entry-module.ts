import { join } from 'node:path';
import type { RemoteName } from '@countersign/contracts/remotes';
import { exposedModuleFile } from '@countersign/webpack-config/exposed-module-file';
import { landingPageSlots } from '../../../../shell/src/page/landing-page-slots.ts';
import { projectDirectory } from '../../platform/child-programs.ts';

const variantsFolder = join(import.meta.dirname, '..', 'variants');
const pageModule = JSON.stringify(join(variantsFolder, 'page.tsx'));
const prerenderedModule = JSON.stringify(join(variantsFolder, 'prerendered-page.tsx'));

interface Slot {
  readonly remote: RemoteName;
  readonly exposed: string;
}

/** Expression with the components of all slots. */
function componentsBy(expression: (slot: Slot) => string): string {
  const { header, main, footer } = landingPageSlots;
  const [Header = '', Footer = ''] = [header, footer].map(([slot]) => expression(slot));
  return `{ Header: ${Header}, main: [${main.map(expression).join(', ')}], Footer: ${Footer} }`;
}

const identifierOf = ({ remote, exposed }: Slot) => `${remote}${exposed}`.replaceAll(/\W/g, '_');

/** Imports the components of all slots from their sources, before a statement that uses them. */
function bundled(statement: string): string {
  const slots = Object.values(landingPageSlots).flat();
  const imports = slots.map((slot) => {
    const root = join(projectDirectory, slot.remote);
    const file = JSON.stringify(join(root, exposedModuleFile(root, slot.exposed)));
    return `import ${identifierOf(slot)} from ${file};`;
  });
  return `${imports.join('\n')}\n${statement}`;
}

const entries = {
  plain: bundled(`import { renderPage } from ${pageModule}; renderPage(${componentsBy(identifierOf)});`),
  prerendered: bundled(
    `import { hydratePage } from ${pageModule}; hydratePage(${componentsBy(identifierOf)});`,
  ),
  /** Builds the markup of the prerendered page, in Node. */
  markup: bundled(
    `import { prerenderedPage } from ${prerenderedModule}; export const markup = () => prerenderedPage(${componentsBy(identifierOf)});`,
  ),
  /**
   * For the variant `default`: loads components from remotes, such as `mf-pricing/pricing`, as federation's documentation does.
   * Asynchronous, because shared modules must be initialised before the first import of one. In a `data:` module, webpack's
   * `import()` has the whole module as `default`, as Node's has for CommonJS.
   */
  default: `Promise.all([import('react'), import(${pageModule})]).then(([{ lazy }, { renderPage }]) => renderPage(${componentsBy(
    ({ remote, exposed }) => `lazy(async () => (await import('${exposed.replace('.', remote)}')).default)`,
  )}));`,
};

/** Generated entry of a variant, as a `data:` URL. */
export function entryModule(kind: keyof typeof entries): string {
  return `data:text/javascript,${encodeURIComponent(entries[kind])}`;
}
