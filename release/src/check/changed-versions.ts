import { namedVersions, type NamedVersion } from '../flip/named-versions.ts';
import type { Candidate } from './finding.ts';

/** Versions that visitors would get and do not get now. */
export function changedVersions({ next, live }: Candidate): readonly NamedVersion[] {
  const known = new Set(live && namedVersions(live).map(({ part, version }) => `${part} ${version}`));
  return namedVersions(next).filter(({ part, version }) => !known.has(`${part} ${version}`));
}
