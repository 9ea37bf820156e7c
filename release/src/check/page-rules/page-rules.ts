import { accessibility } from './accessibility.ts';
import { coveredControls } from './covered-controls.ts';
import { otherParts } from './other-parts.ts';
import type { PageRule } from './page-rule.ts';
import { plainPage } from './plain-page.ts';
import { noErrors, nothingRefused } from './quiet-page.ts';
import { runningBlocks } from './running-blocks.ts';
import { sidewaysScroll } from './sideways-scroll.ts';
import { wireSize } from './wire-size.ts';

/** What the page of a version must be like. After a rule of one line is broken, those of the next lines would say nothing new. */
export const pageRules: readonly (readonly PageRule[])[] = [
  [nothingRefused],
  [runningBlocks],
  [noErrors, plainPage, sidewaysScroll, coveredControls, otherParts, wireSize, accessibility],
];
