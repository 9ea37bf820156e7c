import { policyInHeader, type Audience, type InlineCode } from './page-policy.ts';

/** Header → value. */
export type HeaderValues = Readonly<Record<string, string>>;

const refusedFeatures = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
];

/** Headers of all responses except those of the lead service. */
const commonHeaders: HeaderValues = { 'X-Content-Type-Options': 'nosniff' };
/** `sandbox` blocks scripts of an image that is opened as a document. */
const fileHeaders: HeaderValues = { ...commonHeaders, 'Content-Security-Policy': 'sandbox' };

/** Headers of files at the root of the site (preview images, `robots.txt`), which other sites may embed. */
export const publicFileHeaders = { ...fileHeaders, 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** Headers of files of parts, and of plain text responses. */
export const partFileHeaders = { ...fileHeaders, 'Cross-Origin-Resource-Policy': 'same-origin' };

export function pageHeaders(inline: InlineCode, audience: Audience): HeaderValues {
  return {
    ...commonHeaders,
    'Content-Security-Policy': policyInHeader(inline, audience),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': refusedFeatures.map((feature) => `${feature}=()`).join(', '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Frame-Options': 'DENY',
    // Browsers that support it do not fetch scripts without an `integrity` attribute.
    'Integrity-Policy': 'blocked-destinations=(script)',
  };
}

/** HSTS, for HTTPS responses only, because browsers ignore it over plain HTTP (RFC 6797). */
export const strictTransport: HeaderValues = { 'Strict-Transport-Security': 'max-age=31536000' };
