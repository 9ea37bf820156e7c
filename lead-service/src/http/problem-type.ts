/** The `type` URN of an error in a problem document (RFC 9457). Stable, like the error id. */
export function problemType(id: string): string {
  return `urn:problem-type:lead-service:${id}`;
}
