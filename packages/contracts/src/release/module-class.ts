/**
 * Whether a name was generated for a CSS Module: `_` and six or seven characters. Older builds, and other tools, generate
 * names that end in `-module-…`.
 */
export function isModuleClass(name: string): boolean {
  return /^_[\w-]{6,7}$|-module-[\w-]+$/.test(name);
}
