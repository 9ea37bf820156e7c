import { policyInHeader, policyOfFile, policyOfUnknownPage } from './page-policy.ts';

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

/** Headers of everything but the service's answers, which are its own. */
const everywhere: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': refusedFeatures.map((feature) => `${feature}=()`).join(', '),
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Files at the root of the site (pictures for previews, `robots.txt`) are for other sites as well. */
export const publicFileHeaders: Headers = {
  ...everywhere,
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': policyOfFile,
};

/** Files of parts, and answers that are no page. */
export const partFileHeaders: Headers = {
  ...everywhere,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': policyOfFile,
};

/** Of a page whose own headers are not known. */
export const unknownPageHeaders: Headers = headersOfPage(policyOfUnknownPage);

/** Of a composed page. */
export function pageHeaders(html: string): Headers {
  return headersOfPage(policyInHeader(html));
}

function headersOfPage(policy: string): Headers {
  return {
    ...everywhere,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Content-Security-Policy': policy,
    // Where browsers have it, nothing is even fetched as code without a hash to check it by.
    'Integrity-Policy': 'blocked-destinations=(script style)',
  };
}

/** Only for answers that travel encrypted: over plain HTTP it must not be said. */
export const strictTransport: Headers = { 'Strict-Transport-Security': 'max-age=31536000' };
