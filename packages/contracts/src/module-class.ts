/**
 * How builds name the classes and animations of CSS Modules, as css-loader reads it. Short, because each stands in a
 * stylesheet, a script and the HTML. Six characters of a hash: names of all parts and versions meet in one page.
 */
export const moduleClassTemplate = '_[hash:base64:6]';

/** Whether a name was made for a CSS Module. Names that end in `-module-…` come from older builds and other tools. */
export function isModuleClass(name: string): boolean {
  return /^_[\w-]{6}$|-module-[\w-]+$/.test(name);
}
