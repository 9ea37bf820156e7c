/** Path of the telemetry endpoint (`POST`), relative to the site's origin. */
export const telemetryPath = '/api/telemetry';

/** Path to which browsers report violations of the page's policies (`POST`), relative to the site's origin. */
export const violationsPath = '/api/violations';
