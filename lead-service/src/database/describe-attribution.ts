import type { LeadAttribution } from '@countersign/contracts/lead-submission';

/** The versions that the sender's page showed, as text: `shell 1.0.0 (stable), mf-pricing 1.1.0 (canary)`. */
export function describeParts({ parts = [] }: LeadAttribution): string {
  return parts.map(({ part, version, group }) => `${part} ${version} (${group})`).join(', ');
}

/** The known facts of an attribution, each with its label. */
export function describeAttribution(attribution: LeadAttribution): [label: string, value: string][] {
  const facts = { ...attribution, parts: describeParts(attribution) };
  return Object.entries(facts).flatMap(([name, value]) => (value ? [[labelOf(name), value]] : []));
}

/** `utmSource` → `UTM source`. */
function labelOf(name: string): string {
  const spaced = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^utm/, 'UTM');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
