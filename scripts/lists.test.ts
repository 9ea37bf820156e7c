import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** What a document says from a heading to the next one. */
function section(file: string, heading: string): string {
  return read(file).split(`\n${heading}\n`)[1]?.split(/^#/m)[0] ?? '';
}

/** First cells of tables, and names of list items. */
function entries(text: string): string {
  return [...text.matchAll(/^(?:\| (`.*?) +\||- (`.*?):)/gm)].map((match) => match.slice(1).join('')).join();
}

/** What a pattern captures, each once. */
function names(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();
}

function between(file: string, start: string, end: string): string {
  return read(file).split(start)[1]?.split(end)[0] ?? '';
}

/** Names of the folders in the source folder of a program. */
function rooms(program: string): readonly string[] {
  const files = globSync(`${program}/src/*/*.ts`, { cwd: root });
  return [...new Set(files.map((file) => basename(dirname(file))))].sort();
}

const code = /`([^`]+)`/g;
const folder = /`([\w-]+)\/`/g;
const firstWord = /`([a-z][\w-]*)/g;
const federation = section('README.md', '## The federation of a remote');
const container = 'packages/webpack-config/src/base/remote-federation.ts';
const operation = 'docs/lead-service/operation.md';

/** Long tests that no script of their workspace runs. */
const forgotten = globSync('**/*.long.test.*', { cwd: root, exclude: ['**/node_modules'] }).filter((file) => {
  const workspace = /^packages\/[^/]+|^[^/]+/.exec(file)?.[0] ?? '';
  return !/"(test|e2e):long"/.test(read(join(workspace, 'package.json')));
});

const lists: Record<string, readonly [stated: readonly string[], actual: readonly string[]]> = {
  'long tests that nothing runs': [[], forgotten],
  'rooms of release': [names(entries(section('release/README.md', '## Map')), folder), rooms('release')],
  'rooms of the lead service': [
    names(entries(section('lead-service/README.md', '## Folders')), folder),
    rooms('lead-service'),
  ],
  'commands about leads': [
    names(entries(section(operation, '## Command line')), firstWord),
    names(read('lead-service/src/cli/commands.ts'), /\.command\('([\w-]+)/g),
  ],
  'rules of the check': [
    names(entries(section('release/src/check/README.md', '## Rules of the check')), code),
    names(read('release/src/check/check-release.ts'), /'([a-z]+-[a-z]+)',/g),
  ],
  'plugins of a remote': [
    names(federation, /^new (\w+)/gm),
    names(read(container), /new (?:webpack\.)?(\w+Plugin)\b/g),
  ],
  'options of the federation': [
    names(federation, /^ {2}(\w+): /gm),
    names(between(container, 'new ModuleFederationPlugin(', '});'), /^ {4}(\w+)[:,]/gm),
  ],
  alarms: [
    names(read('docs/operate.md'), /`((?:[A-Z][a-z]+){2,}|Watchdog)`/g),
    names(read('docs/operate/alerts.yaml'), /alert: (\w+)/g),
  ],
  'scopes of tokens': [
    names(section('docs/lead-service/api.md', '## The inbox').split('Scopes:')[1] ?? '', /^- `(\w+)`/gm),
    names(between('lead-service/src/admin/admin-token.ts', 'adminScopes = ', ';'), /'(\w+)'/g),
  ],
};
for (const name of ['contracts', 'webpack-config']) {
  const { exports } = JSON.parse(read(`packages/${name}/package.json`)) as { readonly exports: object };
  const stated = names(entries(read(`packages/${name}/README.md`)), code);
  lists[`exports of ${name}`] = [stated, Object.keys(exports).sort()];
}

for (const [list, [stated, actual]] of Object.entries(lists)) {
  test(`documents: the ${list} are those of the code`, () => assert.deepEqual(stated, actual));
}
