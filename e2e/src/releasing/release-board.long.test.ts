import type { Page } from '@playwright/test';
import { accessibilityFaults } from '../checks/accessibility-faults.ts';
import { contentTooWideOutsideTable } from '../checks/content-too-wide.ts';
import { expect, pricingVersions, type ReleasedSite, test } from './release-test.ts';
import { recordConsole } from '../driver/record-console.ts';

interface ShownBoard {
  readonly measurements: {
    readonly parts: Readonly<Record<string, { readonly views: number } | undefined>>;
  };
}

/** Writes the board until it shows a view of the part. */
async function untilViewed({ release }: ReleasedSite, part: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const { measurements } = await release.run<ShownBoard>('board');
        return measurements.parts[part]?.views ?? 0;
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
}

/** Part and exposed key of each block of the live page, from top to bottom. */
async function blocksOf(page: Page): Promise<readonly (readonly [string, string])[]> {
  return page
    .locator('main > [data-remote], :not(main) > [data-remote]')
    .evaluateAll((slots) =>
      slots.map((slot) => [slot.getAttribute('data-exposed') ?? '', slot.getAttribute('data-remote') ?? '']),
    );
}

test('release board: shows the live page’s blocks, versions and figures, on any screen', async ({
  browser,
  page,
  released,
}) => {
  const { release, stable } = released;
  const { good, better } = pricingVersions;
  await release.promote('mf-pricing', better);
  await release.canary('mf-pricing', good, 25);
  await page.goto(released.url);
  await expect(page.locator('[data-remote="mf-header"]')).toHaveAttribute('data-version', /./);
  const blocks = await blocksOf(page);
  await page.close();
  await untilViewed(released, 'mf-header');

  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const context = await browser.newContext({ viewport });
    const board = await context.newPage();
    const messages = recordConsole(context);
    await board.goto(released.boardUrl);

    const drawn = board.getByRole('region', { name: 'Who owns which block' }).getByRole('listitem');
    await expect(drawn).toHaveText(
      blocks.map(([exposed, part]) => new RegExp(`${exposed.slice(2).replaceAll('-', ' ')}.*${part}`, 'is')),
    );
    const pricing = board
      .getByRole('region', { name: 'Parts and versions' })
      .getByRole('listitem')
      .filter({
        has: board.getByRole('heading', { name: 'mf-pricing' }),
      });
    await expect(pricing).toContainText(
      new RegExp(`${better}.*live.*${good}.*canary 25 %.*${stable}.*before`, 's'),
    );
    const figures = board.getByRole('table', { name: 'Figures of mf-header by version' });
    await expect(figures.getByRole('row').nth(1)).toContainText('live');
    await expect(board.getByRole('img', { name: /^Failed views.* of mf-header/ })).toBeVisible();
    const [change] = await board.getByRole('region', { name: 'History' }).getByRole('listitem').all();
    await expect(change ?? board.locator('nothing')).toContainText('a test shows a broken version');

    const changes = board.getByRole('list', { name: 'Changes of mf-header' });
    await expect(changes.getByRole('listitem').first()).toContainText('Promoted');

    expect(await contentTooWideOutsideTable(board)).toEqual([]);
    expect(await accessibilityFaults(board)).toEqual([]);
    await board.keyboard.press('Tab');
    await expect(board.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    expect(messages).toEqual([]);
    await context.close();
  }
});
