import { partNames, remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import { UsageError } from '../platform/release-error.ts';

export function parsePart(word: string): PartName {
  const part = partNames.find((name) => name === word);
  if (!part) throw new UsageError(`Unknown part "${word}". Known parts: ${partNames.join(', ')}.`);
  return part;
}

export function parseRemote(word: string): RemoteName {
  const remote = remoteNames.find((name) => name === word);
  if (!remote) throw new UsageError(`Unknown remote "${word}". Known remotes: ${remoteNames.join(', ')}.`);
  return remote;
}
