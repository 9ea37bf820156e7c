import { expectSections } from '../checks/expect-sections.ts';
import { expect, test } from '../site/page-test.ts';

test('sections: in order, each once and with its anchor', async ({ openSite }) => {
  await expectSections(await openSite());
});

test('testimonials: the initials are those of the name', async ({ openSite }) => {
  const page = await openSite();
  const people = page
    .getByRole('figure')
    .filter({ has: page.getByRole('blockquote') })
    .locator('figcaption');
  await expect(people).toHaveText(Array<RegExp>(3).fill(/^(\p{Lu})(\p{Lu})\1\S+ \2\S+.+/u));
});
