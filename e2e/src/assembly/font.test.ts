import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partNames } from '@countersign/contracts/remotes';
import { builtFolder } from '../site/running-site.ts';
import { expect, test } from '../site/site-test.ts';

/** All characters of the scripts and markup of all parts, without the shell's `development/`, which visitors do not get. */
function builtCharacters(): readonly string[] {
  const texts = partNames.flatMap((part) =>
    readdirSync(builtFolder(part), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(js|html)$/.test(file) && !file.startsWith('development'))
      .map((file) => readFileSync(join(builtFolder(part), file), 'utf8')),
  );
  return [...new Set(texts.join(''))];
}

test('font: the page needs its basic file only; another character loads the whole font', async ({
  page,
  openSite,
}) => {
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(new URL(request.url()).pathname);
  });
  await openSite();
  const range = await page.evaluate(
    () =>
      [...document.fonts].find(({ family, status }) => family.includes('Figtree') && status === 'loaded')
        ?.unicodeRange,
  );
  const known = (range ?? '').split(', ').map((part) =>
    part
      .slice('U+'.length)
      .split('-')
      .map((point) => parseInt(point, 16)),
  );
  const isKnown = (character: string) => {
    const codePoint = character.codePointAt(0) ?? 0;
    return known.some(([from = 0, to = from]) => codePoint >= from && codePoint <= to);
  };
  // U+FFFD replaces bytes that are not UTF-8.
  expect(
    builtCharacters().filter(
      (character) => character >= ' ' && character !== '\ufffd' && !isKnown(character),
    ),
  ).toEqual([]);
  expect(fonts).toEqual([expect.stringContaining('/figtree-basic.')]);

  await page.getByRole('textbox', { name: 'Name' }).fill('Renée');
  await expect.poll(() => fonts).toEqual([fonts[0], expect.stringContaining('/figtree-latin-')]);
});
