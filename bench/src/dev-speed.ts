import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { browserArguments } from '@countersign/browser/browser-arguments';
import { chromium, type Page } from '@playwright/test';
import { projectDirectory, startProgram } from './platform/child-programs.ts';
import { percentile } from './platform/percentiles.ts';
import { browserPath, withRunningSite } from './platform/running-site.ts';

const savesPerKind = 7;
/** Targets in milliseconds. */
const targets = { median: 1_000, p95: 2_000 } as const;

/** A change of one file, and how it shows in the page. The number differs with each save. */
interface Save {
  readonly kind: string;
  readonly file: string;
  readonly from: RegExp;
  readonly to: (number: number) => string;
  /** Runs in the page: whether the change is visible. */
  readonly isVisible: (number: number) => boolean;
}

const saves: readonly Save[] = [
  {
    kind: 'component',
    file: 'pricing.tsx',
    from: /Plans that grow with your paperwork[ \d]*/,
    to: (number) => `Plans that grow with your paperwork ${number}`,
    isVisible: (number) => document.querySelector('#pricing h2')?.textContent.endsWith(` ${number}`) ?? false,
  },
  {
    kind: 'child',
    file: 'plan-price.tsx',
    from: /per month[ \d]*/,
    to: (number) => `per month ${number}`,
    isVisible: (number) =>
      document.querySelector('#pricing')?.textContent.includes(`per month ${number}`) ?? false,
  },
  {
    kind: 'stylesheet',
    file: 'pricing.module.css',
    from: /\.heading \{(\n {2}letter-spacing: \d+px;)?/,
    to: (number) => `.heading {\n  letter-spacing: ${number}px;`,
    isVisible(number) {
      const heading = document.querySelector('#pricing h2');
      return heading !== null && getComputedStyle(heading).letterSpacing === `${number}px`;
    },
  },
  {
    kind: 'plain module',
    file: 'plans.ts',
    from: /Everything in Free \+[ \d]*/,
    to: (number) => `Everything in Free + ${number}`,
    isVisible: (number) =>
      document.querySelector('#pricing')?.textContent.includes(`Everything in Free + ${number}`) ?? false,
  },
];

/** Measures the time from a saved file of mf-pricing until the change is visible in the live page. */
export async function devSpeed(): Promise<{ figures: unknown; report: string }> {
  const measured = await withRunningSite((site) => withDevelopmentServer(site, measureSaves));
  const all = measured.flatMap(({ times }) => times);
  const figures = {
    saves: all.length,
    median: percentile(all, 0.5),
    p95: percentile(all, 0.95),
    targets,
    byKind: measured,
  };
  const isWithin = figures.median <= targets.median && figures.p95 <= targets.p95;
  const report = [
    `Save → visible in the live page, ms, over ${all.length} saves in mf-pricing. No reload; the chosen interval stayed`,
    `                  median     p95     max`,
    ...measured.map(({ kind, times }) => row(kind, times)),
    row('all', all),
    `${isWithin ? 'within' : 'over'} the targets: median ${targets.median} ms, p95 ${targets.p95} ms`,
  ].join('\n');
  return { figures, report };
}

function row(name: string, times: readonly number[]): string {
  const columns = [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)];
  return `  ${name.padEnd(14)}${columns.map((value) => value.toFixed(0).padStart(8)).join('')}`;
}

type Measured = readonly { readonly kind: string; readonly times: readonly number[] }[];

/** Runs the development server on a copy of mf-pricing. */
async function withDevelopmentServer(
  site: string,
  measure: (url: string, sources: string) => Promise<Measured>,
): Promise<Measured> {
  const copy = await mkdtemp(join(tmpdir(), 'bench-dev-'));
  await cp(join(projectDirectory, 'mf-pricing'), join(copy, 'mf-pricing'), {
    recursive: true,
    filter: (path) => !['dist', 'node_modules'].includes(basename(path)),
  });
  await cp(join(projectDirectory, 'tsconfig.base.json'), join(copy, 'tsconfig.base.json'));
  await symlink(join(projectDirectory, 'node_modules'), join(copy, 'node_modules'));
  const program = join(projectDirectory, 'packages/webpack-config/src/development/dev.ts');
  try {
    await using server = await startProgram(
      [program, 'mf-pricing', '--site', site, '--port', '0'],
      /http:\/\/localhost:\d+/,
      {},
      copy,
    );
    return await measure(server.printed, join(copy, 'mf-pricing', 'src'));
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function measureSaves(url: string, sources: string): Promise<Measured> {
  const browser = await chromium.launch({
    executablePath: await browserPath(),
    args: browserArguments,
  });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.locator('[data-remote="mf-pricing"][data-version]').waitFor({ state: 'attached' });
    const monthly = page.locator('#pricing').getByRole('radio', { name: 'Monthly' }).first();
    await monthly.check();
    let reloads = 0;
    page.on('framenavigated', () => (reloads += 1));
    const times = new Map(saves.map(({ kind }) => [kind, [] as number[]]));
    for (let number = 1; number <= savesPerKind; number += 1) {
      for (const save of saves) times.get(save.kind)?.push(await timeSave(page, sources, save, number));
    }
    if (reloads > 0 || !(await monthly.isChecked())) {
      throw new Error(`The page lost its state: ${reloads} reloads.`);
    }
    return [...times].map(([kind, measured]) => ({ kind, times: measured }));
  } finally {
    await browser.close();
  }
}

/** Milliseconds from the write to the first frame that shows the change. */
async function timeSave(page: Page, sources: string, save: Save, number: number): Promise<number> {
  const path = join(sources, save.file);
  const before = await readFile(path, 'utf8');
  const after = before.replace(save.from, save.to(number));
  if (after === before) throw new Error(`${save.file} has no ${save.from}.`);
  const visible = page.waitForFunction(save.isVisible, number, { polling: 'raf', timeout: 60_000 });
  const start = performance.now();
  await writeFile(path, after);
  await visible;
  const time = performance.now() - start;
  // Editors save at most every few hundred milliseconds, and the watcher merges saves that are closer.
  await page.waitForTimeout(300);
  return time;
}
