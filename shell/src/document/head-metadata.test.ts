import { brand } from '@countersign/contracts/brand';
import { siteOriginPlaceholder } from '@countersign/contracts/part-manifest';
import { landingMetadata, notFoundMetadata } from './head-metadata.ts';

const { head, title } = new DOMParser().parseFromString(landingMetadata, 'text/html');

const metadata = (name: string) =>
  head.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content');

test('metadata: the title has brand, document forms and digital signing', () => {
  expect(title).toBe(`${brand} – Professional Document Forms and Digital Signing Platform`);
});

test('metadata: structured data describes a free business application', () => {
  const data: unknown = JSON.parse(head.querySelector('[type="application/ld+json"]')?.textContent ?? '');
  expect(data).toMatchObject({
    '@type': 'SoftwareApplication',
    name: brand,
    description: metadata('description'),
    applicationCategory: 'Business Software',
    offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
  });
});

test('metadata: link previews have title, description and image with alternative text', () => {
  expect(metadata('description')).toContain('30-day trial');
  for (const place of ['og', 'twitter']) {
    expect(metadata(`${place}:title`)).toBe(title);
    expect(metadata(`${place}:description`)).toBe(metadata('description'));
    expect(metadata(`${place}:image`)).toBe(`${siteOriginPlaceholder}/social-card.png`);
    expect(metadata(`${place}:image:alt`)).toBeTruthy();
  }
});

test('metadata: link previews name the language', () => {
  expect(metadata('og:locale')).toBe('en_US');
});

test('metadata: the 404 page has its own title and is not indexed', () => {
  const notFound = new DOMParser().parseFromString(notFoundMetadata, 'text/html');
  expect(notFound.title).toBe(`404 Page Not Found – ${brand}`);
  expect(notFound.querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex');
  expect(
    notFound.querySelector('link[rel=canonical], [property^="og:"], [type="application/ld+json"]'),
  ).toBeNull();
});
