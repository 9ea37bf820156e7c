/** Names an error in a problem document (RFC 9457). Stable, as the id is. */
export function problemType(id: string): string {
  return `urn:problem-type:lead-service:${id}`;
}
