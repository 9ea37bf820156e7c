import { expect, type Page } from '@playwright/test';
import { sectionOf } from '../driver/landing-page.ts';

/** The sections from top to bottom, each located by a unique element. */
const sections = {
  header: (page: Page) => page.getByRole('banner'),
  hero: (page: Page) => page.getByRole('heading', { level: 1 }),
  trust: (page: Page) => page.getByText('50,000+'),
  platforms: (page: Page) => page.getByText('Available Now'),
  features: (page: Page) => sectionOf(page, 'features'),
  workflow: (page: Page) => sectionOf(page, 'api'),
  'multi-party signing': (page: Page) => page.getByRole('figure').filter({ hasText: 'Waiting' }),
  'why choose us': (page: Page) => page.getByRole('heading', { name: 'Why Choose Us' }),
  pricing: (page: Page) => sectionOf(page, 'pricing'),
  testimonials: (page: Page) => page.getByRole('blockquote').first(),
  'call to action': (page: Page) => sectionOf(page, 'contact'),
  footer: (page: Page) => page.getByRole('contentinfo'),
} as const;

/** Expects the sections in order, each once and with its anchor. Their contents are tested beside the components. */
export async function expectSections(page: Page): Promise<void> {
  const tops: [string, number][] = [];
  for (const [name, find] of Object.entries(sections)) {
    const box = await find(page).boundingBox();
    expect.soft(box, name).not.toBeNull();
    if (box) tops.push([name, box.y]);
  }
  tops.sort(([, a], [, b]) => a - b);
  expect(tops.map(([name]) => name)).toEqual(Object.keys(sections));

  for (const id of ['features', 'api', 'pricing', 'contact']) {
    await expect.soft(page.locator(`[id="${id}"]`)).toHaveCount(1);
  }
}
