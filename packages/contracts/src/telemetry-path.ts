/** Where the page reports to, with `POST`, relative to the site's origin. */
export const telemetryPath = '/api/telemetry';
