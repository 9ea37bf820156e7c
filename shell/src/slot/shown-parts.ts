import { remoteNames } from '@countersign/contracts/remotes';
import type { ShownPart } from '@countersign/contracts/shell-api';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import type { VariantAssignment } from '../canary/assign-variants.ts';
import { slotsIn } from './fill-slots.ts';

/**
 * The shell, and the versions that the slots below an element show now, as code or as markup, each once. The groups are
 * those of telemetry.
 */
export function shownParts(
  root: Element,
  shellVersion: string,
  variants: VariantAssignment,
): readonly ShownPart[] {
  const inSlots = slotsIn(root).flatMap((slot): ShownPart[] => {
    const part = remoteNames.find((name) => name === slot.getAttribute(slotAttributes.remote));
    const version =
      slot.getAttribute(slotAttributes.version) ?? slot.getAttribute(slotAttributes.prerendered);
    return part && version !== null ? [{ part, version, group: variants[part] }] : [];
  });
  // The shell has no canary.
  const shown: ShownPart[] = [{ part: 'shell', version: shellVersion, group: 'stable' }, ...inSlots];
  return [...new Map(shown.map((entry) => [`${entry.part} ${entry.version}`, entry])).values()];
}
