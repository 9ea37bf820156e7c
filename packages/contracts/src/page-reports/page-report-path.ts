/** Path to which pages send their reports (`POST`), relative to the site's origin. */
export const pageReportPath = '/api/page-reports';
