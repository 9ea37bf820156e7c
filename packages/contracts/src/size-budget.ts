/**
 * The kinds of bytes that a part spends, each with a budget of its own:
 *
 * - `markup`: the fragments of a remote, or the shell's document template. It is part of every page.
 * - `style`: stylesheets of the entry and of the exposed modules.
 * - `script`: scripts of the entry and of the exposed modules. Chunks that load on demand are not counted.
 */
export const budgetKinds = ['markup', 'style', 'script'] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** Kind → how many kilobytes (1000 bytes, compressed with Brotli) a part may spend on it. */
export type SizeBudget = Readonly<Record<BudgetKind, number>>;
