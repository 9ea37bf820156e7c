import type { Variable, Variables } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings from environment variables and collects all errors, as messages for the operator. */
export class EnvironmentReader {
  readonly #environment: Environment;
  readonly #errors: string[] = [];
  readonly #invalid = new Set<string>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get errors(): readonly string[] {
    return this.#errors;
  }

  /** Adds an error that no variable shows alone. */
  reject(message: string): void {
    this.#errors.push(message);
  }

  isInvalid(name: string): boolean {
    return this.#invalid.has(name);
  }

  /** Reads variables. An invalid one gets its default, so that all errors are found at once. */
  read<Values extends object>(variables: Variables<Values>): Values {
    const entries = Object.entries<Variable>(variables);
    return Object.fromEntries(
      entries.map(([name, variable]) => [name, this.#value(name, variable)]),
    ) as Values;
  }

  #value(name: string, variable: Variable): unknown {
    const value = this.#environment[name];
    if (value === undefined) return variable.initial;
    const parsed = variable.parse(value);
    if (parsed !== undefined) return parsed;
    this.#invalid.add(name);
    this.reject(variable.errorMessage(name, value));
    return variable.initial;
  }
}
