import { tokens } from './tokens.ts';

/** A use of a custom property that nothing defines. */
export interface UnknownCustomProperty {
  readonly name: string;
  /** Line in the stylesheet, from 1. */
  readonly line: number;
}

/** Radix UI sets these on its own elements. */
const setByRadix = /^radix-/;

/** Uses of custom properties in a stylesheet that are neither tokens nor defined in the stylesheet itself. */
export function unknownCustomProperties(stylesheet: string): readonly UnknownCustomProperty[] {
  const own = new Set([...stylesheet.matchAll(/(?:^|[\s{;])--([\w-]+)\s*:/g)].map(([, name]) => name));
  return stylesheet.split('\n').flatMap((text, index) =>
    [...text.matchAll(/var\(\s*--([\w-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in tokens) && !own.has(name) && !setByRadix.test(name))
      .map((name) => ({ name, line: index + 1 })),
  );
}
