import { policyInHeader, policyOfFile, policyOfUnknownPage, type Audience } from './page-policy.ts';

type Headers = Readonly<Record<string, string>>;

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

/** Headers of everything but the service's answers, which are its own. A file that is opened as a page may do nothing. */
const everywhere: Headers = { 'X-Content-Type-Options': 'nosniff' };
const noPage: Headers = { ...everywhere, 'Content-Security-Policy': policyOfFile };

/** Files at the root of the site (pictures for previews, `robots.txt`) are for other sites as well. */
export const publicFileHeaders: Headers = { ...noPage, 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** Files of parts, and answers that are no page. */
export const partFileHeaders: Headers = { ...noPage, 'Cross-Origin-Resource-Policy': 'same-origin' };

/** Of a page whose own headers are not known. */
export const unknownPageHeaders: Headers = headersOfPage(policyOfUnknownPage);

/** Of a composed page. */
export function pageHeaders(html: string, audience: Audience): Headers {
  return headersOfPage(policyInHeader(html, audience));
}

function headersOfPage(policy: string): Headers {
  return {
    ...everywhere,
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': refusedFeatures.map((feature) => `${feature}=()`).join(', '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Frame-Options': 'DENY',
    // Where browsers have it, no script is even fetched without a hash to check it by.
    'Integrity-Policy': 'blocked-destinations=(script)',
  };
}

/** Only for answers that travel encrypted: over plain HTTP it must not be said. */
export const strictTransport: Headers = { 'Strict-Transport-Security': 'max-age=31536000' };
