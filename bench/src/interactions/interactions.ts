import { loadavg } from 'node:os';
import { browserArguments } from '@countersign/browser/browser-arguments';
import { chromium, type Browser } from '@playwright/test';
import { rotated } from '../page/measure/measure-variants.ts';
import { browserPath, withRunningSite } from '../running-site.ts';
import { withCommit } from './earlier-site.ts';
import { interactionReport, summarise, type Measured } from './interaction-report.ts';
import { measureInteraction, type Uses } from './measure-interaction.ts';
import { visitorInteractions } from './visitor-interactions.ts';

interface InteractionOptions {
  readonly runs: number;
  /** Commit to compare with. */
  readonly against: string | undefined;
}

interface Site {
  readonly name: string;
  readonly url: string;
}

/** Measures how fast the page responds to what visitors do most, on a phone with a slow processor. */
export async function interactions({
  runs,
  against,
}: InteractionOptions): Promise<{ figures: unknown; report: string }> {
  const before = loadavg()[0] ?? 0;
  const sites = await withSites(against, (all) => measureSites(all, runs));
  const figures = { runs, load: { before, after: loadavg()[0] ?? 0 }, sites };
  return { figures, report: interactionReport(figures) };
}

/** Serves this version of the page, and an earlier one if there is one to compare with. */
async function withSites<Result>(
  against: string | undefined,
  measure: (sites: readonly Site[]) => Promise<Result>,
): Promise<Result> {
  return withRunningSite((url) => {
    const sites = [{ name: 'now', url }];
    if (against === undefined) return measure(sites);
    return withCommit(against, (directory) =>
      withRunningSite((earlier) => measure([...sites, { name: against, url: earlier }]), directory),
    );
  });
}

/** Visits the sites in turn, so that other load on the machine affects all of them alike. */
async function measureSites(sites: readonly Site[], runs: number): Promise<readonly Measured[]> {
  const executablePath = await browserPath();
  const uses = new Map<string, Uses[]>();
  const keyOf = (site: Site, interaction: string) => `${site.name} ${interaction}`;
  for (let round = 0; round < runs; round += 1) {
    console.error(`interactions: round ${round + 1} of ${runs}, load ${loadavg()[0]?.toFixed(1)}`);
    const browser: Browser = await chromium.launch({ executablePath, args: browserArguments });
    try {
      for (const interaction of visitorInteractions) {
        for (const site of rotated(sites, round)) {
          const key = keyOf(site, interaction.name);
          const measured = await measureInteraction(browser, site.url, interaction);
          uses.set(key, [...(uses.get(key) ?? []), measured]);
        }
      }
    } finally {
      await browser.close();
    }
  }
  return sites.map((site) => ({
    site: site.name,
    interactions: visitorInteractions.map(({ name }) => summarise(name, uses.get(keyOf(site, name)) ?? [])),
  }));
}
