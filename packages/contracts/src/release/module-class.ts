/**
 * Whether a name was generated for a CSS Module: `_` and seven characters, six in older builds. Builds before them, and other
 * tools, generate names that end in `-module-…`.
 */
export function isModuleClass(name: string): boolean {
  return /^_[\w-]{6,7}$|-module-[\w-]+$/.test(name);
}
