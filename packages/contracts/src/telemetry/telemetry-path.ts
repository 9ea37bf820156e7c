/** Path of the telemetry endpoint (`POST`), relative to the site's origin. */
export const telemetryPath = '/api/telemetry';
