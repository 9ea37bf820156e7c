/** An error of this service whose message says all to its reader. Not one of a database or connection. */
export class ExplainedError extends Error {}
