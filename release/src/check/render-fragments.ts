import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { entryPolicyName } from '@countersign/contracts/file-integrity';
import { fragmentIdPrefix, fragmentPlaceholders } from '@countersign/contracts/fragment';
import { createFragmentShell } from '@countersign/contracts/fragment-shell';
import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { integrityOf } from '../platform/file-hash.ts';
import { printableLine } from '../platform/printable.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { summarizeList } from '../platform/summarize-list.ts';
import type { RenderableBuild, RenderFragments } from '../publish/add-fragments.ts';
import { renderInPage, type FragmentPage } from './sandbox/render-in-page.ts';
import { renderPage } from './render-page.ts';
import { refusals, type RenderReport } from './render-report.ts';

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

/**
 * Renders exposed components in the sandbox, as a build with `packages/webpack-config` renders them: no code of a part runs
 * in this process.
 */
export const renderFragments: RenderFragments = async (build) => {
  const { part, version, globalName, entry, exposedKeys, code } = build;
  const url = (file: string) => `${origin}/${part}/${version}/${file}`;
  const integrity = new Map([...code].map(([file, content]) => [file, integrityOf(content)]));
  const page: FragmentPage = {
    version,
    globalName,
    entry: url(entry),
    reactVersion: await versionOfReact(),
    prefixes: Object.fromEntries(exposedKeys.map((key) => [key, fragmentIdPrefix(part, key)])),
    integrity: Object.fromEntries([...integrity].map(([file, hash]) => [url(file), hash])),
  };
  const program = await programFor(page);
  const programHash = integrityOf(bytesOf(program));
  const hashes = [programHash, ...integrity.values()].map((hash) => `'${hash}'`).join(' ');
  const policy = `script-src ${hashes}; trusted-types ${entryPolicyName} ${globalName}`;
  const slots = exposedKeys.map((key) => `<div data-remote="${part}" data-exposed="${key}"></div>`);
  const outcome = await renderPage({
    html: `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><body>${slots.join('')}<script src="${programPath}" integrity="${programHash}"></script>`,
    remote: part,
    origin,
    files: Object.fromEntries(
      [
        [programPath, bytesOf(program)] as const,
        ...[...code].map(([file, content]) => [`/${part}/${version}/${file}`, content] as const),
      ].map(([path, content]) => [path, Buffer.from(content).toString('base64')]),
    ),
    readsTexts: true,
  });
  if ('failure' in outcome) throw notRendered(build, [`The part ${outcome.failure}`]);
  const { refused, errors, texts = {} } = outcome.report;
  if (refused.length > 0) throw notRendered(build, refused.map(describeRefusal));
  const missing = exposedKeys.filter((key) => !texts[key]);
  if (missing.length > 0) {
    throw notRendered(build, errors.length > 0 ? errors : [`${summarizeList(missing)} renders nothing`]);
  }
  return Object.fromEntries(exposedKeys.map((key) => [key, texts[key] ?? '']));
};

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function describeRefusal({ reason, what }: RenderReport['refused'][number]): string {
  return `The part asks for what browsers refuse under the page's policy: ${what} (${refusals[reason]})`;
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

/** Text of the script that renders: {@link renderInPage} with its modules as functions, because the page evaluates no text. */
async function programFor(page: FragmentPage): Promise<string> {
  // Numbers as names, because paths of this machine are not for the part.
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
      if (!request.includes('.development'))
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
