import { brand } from '@countersign/contracts/brand';
import { siteOriginPlaceholder } from '@countersign/contracts/part-manifest';
import { darkColors, tokens } from '@countersign/design-tokens';

const title = `${brand} – Professional Document Forms and Digital Signing Platform`;
export const description = `Build smart forms, send documents for signature and keep every signed copy in a secure vault with a full audit trail. Start a free 30-day trial of ${brand}, no credit card required.`;

const address = `${siteOriginPlaceholder}/`;
const image = `${siteOriginPlaceholder}/social-card.png`;
const imageText =
  'A supply agreement that three people sign in order: the first has signed, the second is next.';

/** Structured data for search engines. */
const structuredData = {
  '@context': 'https://schema.org',
  '@type': 'SoftwareApplication',
  name: brand,
  description,
  url: address,
  image,
  applicationCategory: 'Business Software',
  operatingSystem: 'Web',
  offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
};

/** Colours and icons of what the browser shows around the page: toolbar, tab, home screen. */
const browserSurfaces = `<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${tokens['color-background']}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${darkColors['color-background']}">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">`;

/** Head elements of the landing page for search engines, link previews and the browser. */
export const landingMetadata = `<title>${title}</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${address}">
<meta property="og:type" content="website">
<meta property="og:locale" content="en_US">
<meta property="og:site_name" content="${brand}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${address}">
<meta property="og:image" content="${image}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${imageText}">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:title" content="${title}">
<meta name="twitter:description" content="${description}">
<meta name="twitter:image" content="${image}">
<meta name="twitter:image:alt" content="${imageText}">
${browserSurfaces}
<script type="application/ld+json">${JSON.stringify(structuredData)}</script>`;

/** Head elements of the 404 page. It is not indexed and has no link preview. */
export const notFoundMetadata = `<title>404 Page Not Found – ${brand}</title>
<meta name="robots" content="noindex">
${browserSurfaces}`;
