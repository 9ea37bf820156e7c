import { partNames, remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import { UsageFault } from '../release-fault.ts';

export function partFrom(word: string): PartName {
  const part = partNames.find((name) => name === word);
  if (!part) throw new UsageFault(`"${word}" is no part. Say which: ${partNames.join(', ')}.`);
  return part;
}

export function remoteFrom(word: string): RemoteName {
  const remote = remoteNames.find((name) => name === word);
  if (!remote) throw new UsageFault(`"${word}" is no remote. Say which: ${remoteNames.join(', ')}.`);
  return remote;
}
