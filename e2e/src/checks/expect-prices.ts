import { expect, type Page } from '@playwright/test';
import { sectionOf } from '../driver/landing-page.ts';

/** Expects the price that a plan shows. The other price is in the markup as well, but hidden. */
export async function expectPrice(page: Page, name: string, price: string): Promise<void> {
  const card = sectionOf(page, 'pricing').getByRole('article', { name });
  await expect(card.getByRole('paragraph').filter({ hasText: '$' })).toHaveText([price]);
}
