import { preloadChoice } from '@countersign/contracts/preload-choice';
import { canarySlotAttributes } from '@countersign/contracts/slot-markup';
import { chooseGroup } from './choose-group.ts';
import { preloadChosen } from './preload-chosen.ts';
import { showCanaries } from './show-canaries.ts';
import { visitorId, visitorStorageKey } from './visitor-id.ts';

const groupOf = `(remote, percent) =>
(${chooseGroup})((${visitorId})(${JSON.stringify(visitorStorageKey)}), remote, percent)`;

/** Source text that makes in the HTML the choice that the shell will make, before the shell is there: what loads ahead. */
export const preloadScript = `(${preloadChosen})(${JSON.stringify(preloadChoice)}, ${groupOf})`;

/** The same for the markup that the visitor sees. */
export const showCanariesScript = `(${showCanaries})(${JSON.stringify(canarySlotAttributes)}, ${groupOf})`;
