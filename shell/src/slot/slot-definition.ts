import type { RemoteModules, RemoteName } from '@countersign/contracts/remotes';
import type { SlotProps } from '@countersign/contracts/shell-api';
import type { ComponentType } from 'react';

/** A slot of the page for one remote: what fills it, and what stands there when nothing of it can be had. */
interface SlotOf<Name extends RemoteName> {
  readonly remote: Name;
  readonly exposed: keyof RemoteModules[Name] & string;
  readonly Fallback: ComponentType<SlotProps>;
}

export type SlotDefinition = { [Name in RemoteName]: SlotOf<Name> }[RemoteName];
