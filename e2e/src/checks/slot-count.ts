import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import { slotMarkers } from '@countersign/contracts/slot-markup';

const template = join(import.meta.dirname, '..', '..', '..', 'shell', 'dist', documentTemplateFile);

/** Number of slots of the landing page, as the shell was built. */
export const slotCount = [...readFileSync(template, 'utf8').matchAll(slotMarkers)].length;
