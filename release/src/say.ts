/** Tells whoever runs the command how far it is. */
export function say(line: string): void {
  console.log(`site: ${line}`);
}
