import { preloadChoice } from '@countersign/contracts/preload-choice';
import { chooseGroup } from './choose-group.ts';
import { preloadChosen } from './preload-chosen.ts';
import { visitorId, visitorStorageKey } from './visitor-id.ts';

/** Source text that makes in the HTML the choice that the shell will make, before the shell is there. */
export const preloadScript = `(${preloadChosen})(${JSON.stringify(preloadChoice)}, (remote, percent) =>
(${chooseGroup})((${visitorId})(${JSON.stringify(visitorStorageKey)}), remote, percent))`;
