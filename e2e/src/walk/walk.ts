import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseDocumentElementId } from '@countersign/contracts/page-markup';
import { leadPath } from '@countersign/contracts/lead';
import { pageReportPath } from '@countersign/contracts/part-event';
import { releaseDocument } from '@countersign/contracts/release-document';
import { test as base, expect } from '@playwright/test';
import { config } from '../config.ts';
import { copyForBuild } from '../site/project-copy.ts';
import { environmentWith, projectDirectory, removeDirectory, run } from '../site/running-site.ts';
import { documentSteps, isAsShown, isSecondAttempt, type EditStep } from './document-steps.ts';
import { openTerminals, type Terminals } from './terminals.ts';

/** Commands that are skipped: a test machine has no containers, no cluster, and nothing to clone. */
const unavailable = /(^| do )(docker|kubectl|git) /;

/** Paths that no document needs, or that `copyForBuild` copies itself. Only some of this folder is copied, because it has the copy. */
const notCopied = ['.git', '.turbo', '.data', 'node_modules', 'e2e', 'packages', 'tsconfig.base.json'];

/** A reader of documents, with a copy of the project and its dependencies. */
interface Reader {
  readonly copy: string;
  readonly terminals: Terminals;
  /** Starts the site, for documents that begin beside a running one. Returns what is printed. */
  startSite(): Promise<readonly string[]>;
  /**
   * Does all that a document says, and compares what is printed.
   *
   * @param values text in its commands → what stands there for this reader
   */
  follow(document: string, values?: Readonly<Record<string, string>>): Promise<void>;
}

/** @param startFolder where in the copy the reader begins */
export const test = base.extend<{ startFolder: string; reader: Reader }>({
  startFolder: ['', { option: true }],
  reader: async ({ startFolder }, use, { project, testId }) => {
    const copy = join(project.outputDir, `walk-${testId}`);
    const names = (await readdir(projectDirectory)).filter((name) => !notCopied.includes(name));
    await copyForBuild([...names, 'e2e/package.json', 'e2e/src'], copy);
    // Turborepo asks Git for the files of a part. It finds unchanged parts in its cache only if they are committed.
    const git = (...words: readonly string[]) => run('git', words, { cwd: copy });
    await git('init', '--quiet');
    await git('add', '.');
    await git(
      '-c',
      'user.name=Reader',
      '-c',
      'user.email=reader@example.com',
      'commit',
      '--quiet',
      '-m',
      'A copy',
    );
    const environment = environmentWith({
      ...{ PORT: '0', LEADS_PORT: '0', BOARD_PORT: '0', LEADS_PER_ADDRESS: '0', DATABASE_URL: undefined },
      ...{ TURBO_CACHE_DIR: config.turboCache, NO_COLOR: '1', FORCE_COLOR: undefined },
      // For the dependencies of a new remote.
      npm_config_prefer_offline: 'true',
    });
    const terminals = openTerminals(copy, environment, join(copy, startFolder));
    try {
      await use(readerOf(copy, terminals));
    } finally {
      const exitCodes = await terminals.close();
      await removeDirectory(copy);
      expect(exitCodes.filter(Boolean), 'exit codes after Ctrl-C').toEqual([]);
    }
  },
});

function readerOf(copy: string, terminals: Terminals): Reader {
  let site = '';

  async function startSite() {
    const lines = await terminals.start('npm start');
    site = /http:\S+/.exec(lines.at(-1) ?? '')?.[0] ?? '';
    return lines;
  }

  /** Types a command, and returns what it prints. */
  async function type(command: string, shown: readonly string[]): Promise<readonly string[]> {
    if (command === 'npm start') return startSite();
    if (shown.at(-1)?.endsWith('Ctrl-C stops it')) {
      // So that the development server needs no fixed ports.
      return terminals.start(`${command}${command.includes(' dev -- ') ? ` --port 0 --site ${site}` : ''}`);
    }
    const visits = command.includes(' watch ') ? visitsOf(site) : undefined;
    const { lines, exitCode } = await terminals.run(command, visits?.onLine);
    visits?.end();
    if (shown.length === 0) expect(exitCode, `exit code after:\n${lines.join('\n')}`).toBe(0);
    return lines;
  }

  return {
    ...{ copy, terminals, startSite },
    async follow(document, values = {}) {
      for (const step of documentSteps(await readFile(join(projectDirectory, document), 'utf8'))) {
        if ('file' in step) {
          await edit(join(copy, step.file), step);
          continue;
        }
        const { line, shown } = step;
        if (unavailable.test(step.command)) continue;
        const replaced = Object.entries(values);
        const command = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), step.command);

        await test.step(`${document}:${line} $ ${command}`, async () => {
          const printed = await type(command, shown);
          // So that the run names them, although it goes on.
          for (const each of printed.filter(isSecondAttempt)) console.log(`${document}:${line} ${each}`);
          if (shown.length === 0 || isAsShown(shown, printed)) return;
          expect.soft(printed.join('\n'), `${document}:${line} shows what is printed`).toBe(shown.join('\n'));
        });
      }
    },
  };
}

async function edit(file: string, { removed, added }: EditStep): Promise<void> {
  const before = await readFile(file, 'utf8');
  expect(before.split(removed), `${file} has this once:\n${removed}`).toHaveLength(2);
  await writeFile(
    file,
    before.replace(removed, () => added),
  );
}

/** Sends reports of 750 page views for each of the first reads of `watch`, and leads. A third of both comes from the canary. */
function visitsOf(site: string) {
  // The site may stop while the last ones are sent.
  const ended = new AbortController();
  let reads = 0;
  let failure: unknown;
  return {
    onLine(line: string) {
      if (!line.startsWith('canary: ') || (reads += 1) > 10) return;
      sendReports(site, reads, ended.signal).catch((error: unknown) => (failure ??= error));
    },
    end() {
      expect(failure, 'why a visit was not reported').toBe(undefined);
      ended.abort();
    },
  };
}

async function sendReports(site: string, read: number, signal: AbortSignal): Promise<void> {
  const page = await (await fetch(site, { signal })).text();
  const [, json = ''] = new RegExp(`id="${releaseDocumentElementId}"[^>]*>([^<]*)<`).exec(page) ?? [];
  const { releaseId, remotes } = releaseDocument.parse(JSON.parse(json));
  const send = (path: string, body: object) =>
    fetch(site + path, {
      ...{ method: 'POST', signal },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const [part, { live: liveVersion, canary }] of Object.entries(remotes)) {
    for (let view = 0; canary && view < 750; view += 1) {
      const group = view % 3 === 0 ? 'canary' : 'stable';
      const { version } = group === 'canary' ? canary.version : liveVersion;
      const seen = { part, version, group };
      await send(pageReportPath, { releaseId, parts: [{ ...seen, measure: 'viewed' }], vitals: [] });
      if (view % 25 > 0) continue;
      const message = `Please show me how templates work. This is request ${read}-${view}.`;
      const sender = { name: 'Ada Lovelace', email: `ada.${read}.${view}@example.com`, company: 'Engines' };
      const attribution = { releaseId, parts: [seen] };
      await send(leadPath('contact'), { ...sender, message, submissionType: 'contact', attribution });
    }
  }
}
