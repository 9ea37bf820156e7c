/**
 * css-loader template for the class and animation names of CSS Modules. Names are short, because each occurs in
 * a stylesheet, a script and the HTML. Six characters of a hash avoid collisions between parts and versions.
 */
export const moduleClassTemplate = '_[hash:base64:6]';

/**
 * Whether a name was generated for a CSS Module. Older builds and other tools generate names that end in
 * `-module-…`.
 */
export function isModuleClass(name: string): boolean {
  return /^_[\w-]{6}$|-module-[\w-]+$/.test(name);
}
