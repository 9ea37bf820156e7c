/**
 * Kinds of size budgets:
 *
 * - `markup`: fragments of a remote, or the shell's document template. It is part of every page.
 * - `style`: stylesheets of the entry and of the exposed modules.
 * - `script`: scripts of the entry and of the exposed modules, without chunks that load on demand.
 */
export const budgetKinds = ['markup', 'style', 'script'] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** Kind → budget in kilobytes (1000 bytes, compressed with Brotli). */
export type SizeBudget = Readonly<Record<BudgetKind, number>>;
