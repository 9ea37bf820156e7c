import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserLocation } from '@countersign/browser/find-browser';
import { entryPolicyName } from '@countersign/contracts/file-integrity';
import { fragmentIdPrefix, fragmentPlaceholders } from '@countersign/contracts/fragment';
import { createFragmentShell } from '@countersign/contracts/fragment-shell';
import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { integrityOf } from '../platform/file-hash.ts';
import { printableLine } from '../platform/printable.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { RenderableBuild, RenderFragments } from '../publish/add-fragments.ts';
import { PageFailure } from './browser/isolated-world.ts';
import { openBrowser } from './browser/open-browser.ts';
import type { ServedSite } from './browser/served-site.ts';
import { visitPage, type Visit } from './browser/visit-page.ts';
import { visitors, type Visitor } from './browser/visitors.ts';
import { renderInPage, type FragmentPage } from './render-in-page.ts';

/** No page of visitors has this origin. */
const origin = 'https://fragments.invalid';
const programPath = '/render-fragments.js';

const require = createRequire(import.meta.url);

/** Modules that the page provides, and the renderer: name → CommonJS file. */
const provided: Readonly<Record<string, string>> = {
  react: require.resolve('react'),
  'react-dom': require.resolve('react-dom'),
  'react/jsx-runtime': require.resolve('react/jsx-runtime'),
  'react-dom/static': require.resolve('react-dom/static.browser'),
  '@module-federation/runtime-core': require.resolve('@module-federation/runtime-core'),
};

/** Two visitors whose settings, clocks and storage differ. A component that reads these while it renders gives two results. */
const renderingVisitors: readonly Visitor[] = [visitors.desktop, visitors.phone].map((visitor, index) => ({
  ...visitor,
  settings: {
    ...visitor.settings,
    screen: visitor.settings.viewport,
    deviceScaleFactor: 1 + index,
    userAgent: `visitor ${index}`,
  },
  async prepare(page) {
    await page.clock.setFixedTime(new Date(2026 + index, index, 1));
    if (index > 0) await page.addInitScript(() => (Storage.prototype.getItem = () => '1'));
  },
}));

/**
 * Renders exposed components in a browser, as a build with `packages/webpack-config` renders them. Throws a
 * {@link ReleaseError} with all reasons if a component cannot be rendered, or differs between two visitors.
 */
export const createFragmentRenderer =
  (location: BrowserLocation): RenderFragments =>
  async (build) => {
    const site = await fragmentSite(build);
    await using browser = await openBrowser(location);
    const visits = renderingVisitors.map((visitor) => visitPage(browser, site, visitor));
    const results = await Promise.all(visits).catch((error: unknown) => {
      if (error instanceof PageFailure) throw notRendered(build, [`The part ${error.message}`]);
      throw error;
    });
    const refused = results.flatMap((visit) => visit.refused.map((what) => `The part ${what}`));
    if (refused.length > 0) throw notRendered(build, refused);
    const markups = await Promise.all(results.map(markupIn));
    const [first = {}] = markups;
    const errors = results.flatMap((visit) => visit.errors);
    const reasons = build.exposedKeys.flatMap((key) => {
      const thrown = errors.filter((error) => error.startsWith(`${key} `));
      if (thrown.length > 0) return thrown;
      if (!first[key]) return [`${key} renders nothing`];
      const isSame = markups.every((markup) => markup[key] === first[key]);
      return isSame ? [] : [`${key} depends on the visitor’s screen, language or storage, or on the time`];
    });
    if (reasons.length > 0) throw notRendered(build, [...reasons, ...errors]);
    return first;
  };

/** Exposed key → its markup, which {@link renderInPage} has written into the slot as text. */
async function markupIn({ world }: Visit): Promise<Readonly<Record<string, string>>> {
  const markup = await world.run(() =>
    [...document.querySelectorAll('[data-exposed]')].map(
      (slot) => [slot.getAttribute('data-exposed') ?? '', slot.textContent] as const,
    ),
  );
  return Object.fromEntries(markup);
}

/** A page with a slot for each component, and a script that renders them. */
async function fragmentSite(build: RenderableBuild): Promise<ServedSite> {
  const { part, version, globalName, entry, exposedKeys, code } = build;
  const url = (file: string) => `${origin}/${part}/${version}/${file}`;
  const integrity = new Map([...code].map(([file, content]) => [file, integrityOf(content)]));
  const program = await programFor({
    version,
    globalName,
    entry: url(entry),
    reactVersion: await versionOfReact(),
    prefixes: Object.fromEntries(exposedKeys.map((key) => [key, fragmentIdPrefix(part, key)])),
    integrity: Object.fromEntries([...integrity].map(([file, hash]) => [url(file), hash])),
  });
  const programHash = integrityOf(new TextEncoder().encode(program));
  const hashes = [programHash, ...integrity.values()].map((hash) => `'${hash}'`).join(' ');
  const slots = exposedKeys.map((key) => `<div data-remote="${part}" data-exposed="${key}"></div>`);
  const files = new Map<string, string | Uint8Array>([
    [
      '/',
      `<!doctype html><meta charset="utf-8"><body>${slots.join('')}<script src="${programPath}" integrity="${programHash}" crossorigin></script>`,
    ],
    [programPath, program],
    ...[...code].map(([file, content]) => [`/${part}/${version}/${file}`, content] as const),
  ]);
  const headers = {
    'Content-Security-Policy': `script-src ${hashes}; trusted-types ${entryPolicyName} ${globalName}; require-trusted-types-for 'script'`,
    'Integrity-Policy': 'blocked-destinations=(script)',
  };
  return {
    origin,
    remotes: [part],
    read(path) {
      const body = files.get(path);
      return Promise.resolve(body === undefined ? undefined : { body, headers });
    },
  };
}

function notRendered({ part, version }: RenderableBuild, reasons: readonly string[]): ReleaseError {
  const lines = [...new Set(reasons)].map(printableLine);
  return new ReleaseError(
    `${part} ${version} has no fragments, and they cannot be rendered:\n${lines.join('\n')}\nRead the visitor's settings, the screen and the time in effects only; or bring the fragments with the build.`,
  );
}

async function versionOfReact(): Promise<string> {
  const { version } = JSON.parse(await readFile(require.resolve('react/package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}

/**
 * Text of the script that renders: {@link renderInPage}, called with the {@link provided} modules and all that they require. The
 * modules are functions in the script, because the page's policy forbids to evaluate text.
 */
async function programFor(page: FragmentPage): Promise<string> {
  // Modules have numbers as names, because the part must not see paths of this machine.
  const ids = new Map<string, number>();
  const functions: string[] = [];
  const add = async (path: string): Promise<number> => {
    const known = ids.get(path);
    if (known !== undefined) return known;
    const id = ids.size;
    ids.set(path, id);
    const source = await readFile(path, 'utf8');
    const resolveFrom = createRequire(path).resolve;
    const links: Record<string, number> = {};
    for (const [, request = ''] of source.matchAll(/\brequire\(["']([^"']+)["']\)/g)) {
      // Not run, because NODE_ENV is `production`.
      if (request.includes('.development')) continue;
      links[request] = await add(provided[request] ?? resolveFrom(request));
    }
    functions[id] = `[(module, exports, require) => {\n${source}\n}, ${JSON.stringify(links)}]`;
    return id;
  };
  const roots: Record<string, number> = {};
  for (const [name, path] of Object.entries(provided)) roots[name] = await add(path);
  const shell = `(${String(createFragmentShell)})(${String(createShellStub)}, ${JSON.stringify(fragmentPlaceholders.appHost)})`;
  return `const process = { env: { NODE_ENV: 'production' } };
void (${String(renderInPage)})(${JSON.stringify(page)}, [${functions.join(',\n')}], ${JSON.stringify(roots)}, ${shell});`;
}
