// blind spot: reports and leads name them for teams. The tests of this file read them.
import { remoteNames } from '@countersign/contracts/remotes';
import type { ShownVersion } from '@countersign/contracts/page-report';
import { slotAttributes } from '@countersign/contracts/page-markup';
import type { GroupAssignment } from '../canary/assign-groups.ts';
import { slotsIn } from './fill-slots.ts';

/**
 * The shell, and the versions that the slots below an element show now, as code or as markup, each once. A lead
 * carries this list (`ShellApi.shownParts`), so that `watch` can compare how many leads canary and live version bring.
 */
export function shownParts(
  root: Element,
  shellVersion: string,
  groups: GroupAssignment,
): readonly ShownVersion[] {
  const inSlots = slotsIn(root).flatMap((slot) => shownIn(slot, groups) ?? []);
  const ofShell = groups.shell
    ? [{ part: 'shell', version: shellVersion, group: groups.shell } as const]
    : [];
  const shown: ShownVersion[] = [...ofShell, ...inSlots];
  return [...new Map(shown.map((entry) => [`${entry.part} ${entry.version}`, entry])).values()];
}

/** The version that the slot around a node shows now. `undefined` outside of slots, and in an empty one. */
export function shownAround(
  node: Node | null | undefined,
  groups: GroupAssignment,
): ShownVersion | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  const slot = element?.closest(`[${slotAttributes.remote}]`);
  return slot ? shownIn(slot, groups) : undefined;
}

function shownIn(slot: Element, groups: GroupAssignment): ShownVersion | undefined {
  const part = remoteNames.find((name) => name === slot.getAttribute(slotAttributes.remote));
  const version = slot.getAttribute(slotAttributes.version) ?? slot.getAttribute(slotAttributes.prerendered);
  const group = part && groups[part];
  return part && group && version !== null ? { part, version, group } : undefined;
}
