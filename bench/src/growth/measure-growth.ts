import { browserArguments } from '@countersign/browser/browser-arguments';
import { chromium } from '@playwright/test';
import type { Site } from '../page/assembly/site-files.ts';
import { createCertificate } from '../page/measure/certificate.ts';
import { rotated, viewport } from '../page/measure/measure-variants.ts';
import { startPageServer } from '../page/measure/page-server.ts';
import { profiles, type ProfileName } from '../page/measure/profiles.ts';
import { readFigures, type ReadFigures } from '../page/measure/visit-figures.ts';
import { visit } from '../page/measure/visit.ts';
import { browserPath } from '../running-site.ts';

export const assemblies = ['plain', 'prerendered', 'default', 'ours'] as const;

/** A page with a number of parts. */
export interface BuiltPage {
  readonly assembly: (typeof assemblies)[number];
  readonly parts: number;
  readonly site: Site;
}

export interface MeasuredPage extends Omit<BuiltPage, 'site'> {
  /** Figures of first visits of the kind `read`. "Header and pricing" are all parts. */
  readonly visits: readonly ReadFigures[];
}

const control = 'section button';

/** Visits all pages in turn, in several rounds. */
export async function measureGrowth(
  pages: readonly BuiltPage[],
  profile: ProfileName,
  runs: number,
  progress: (text: string) => void,
): Promise<readonly MeasuredPage[]> {
  const certificate = await createCertificate();
  const server = await startPageServer(certificate);
  const executablePath = await browserPath();
  const visits = new Map<BuiltPage, ReadFigures[]>(pages.map((page) => [page, []]));
  try {
    for (let run = 0; run < runs; run += 1) {
      progress(`round ${run + 1} of ${runs}`);
      const browser = await chromium.launch({
        executablePath,
        args: [...browserArguments, `--ignore-certificate-errors-spki-list=${certificate.publicKeyHash}`],
      });
      for (const page of rotated(pages, run)) {
        server.show(page.site);
        const context = await browser.newContext({ viewport });
        const controls = { header: control, pricing: control, callToAction: control };
        const watched = { controls, minControls: page.parts };
        const seen = await visit(context, server.origin, profiles[profile], 'read', watched);
        visits.get(page)?.push(readFigures(seen));
        await context.close();
      }
      await browser.close();
    }
  } finally {
    server.close();
  }
  return pages.map((page) => ({
    assembly: page.assembly,
    parts: page.parts,
    visits: visits.get(page) ?? [],
  }));
}
