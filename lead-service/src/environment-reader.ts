import { isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

interface NumberRange {
  readonly initial: number;
  readonly least: number;
  readonly most: number;
}

/**
 * Reads settings from environment variables and collects everything that is wrong with them, each as a sentence for the
 * operator. A variable that is set but empty is a fault: a lost secret must not change the meaning of a setting unnoticed.
 */
export class EnvironmentReader {
  readonly #environment: Environment;
  readonly #faults: string[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get faults(): readonly string[] {
    return this.#faults;
  }

  fault(sentence: string): void {
    this.#faults.push(sentence);
  }

  /** The text of a variable, if it is set. */
  text(name: string): string | undefined {
    const value = this.#environment[name];
    if (value === undefined) return undefined;
    if (value.trim() !== '') return value;
    this.fault(`${name} is empty. Set it, or remove it.`);
    return undefined;
  }

  /** The parts of a variable between commas. */
  list(name: string): readonly string[] {
    const parts = this.text(name)?.split(',') ?? [];
    return parts.map((part) => part.trim()).filter((part) => part !== '');
  }

  wholeNumber(name: string, { initial, least, most }: NumberRange): number {
    const value = this.#environment[name];
    if (value === undefined) return initial;
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    this.fault(`${name} must be a whole number from ${least} to ${most}, but is "${value}".`);
    return initial;
  }

  host(name: string, initial: string): string {
    const host = this.text(name) ?? initial;
    if (isIP(host) === 0 && !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host)) {
      this.fault(`${name} must be an IP address or a host name such as 127.0.0.1, but is "${host}".`);
    }
    return host;
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], initial: Choice): Choice {
    const value = this.text(name);
    if (value === undefined) return initial;
    const choice = choices.find((known) => known === value);
    if (choice === undefined) this.fault(`${name} must be ${choices.join(' or ')}, but is "${value}".`);
    return choice ?? initial;
  }

  /** An address with one of these protocols. Its value is never quoted: it may hold a password. */
  url(name: string, protocols: readonly string[], example: string): URL | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const url = URL.parse(value);
    if (url !== null && protocols.includes(url.protocol)) return url;
    this.fault(`${name} must look like ${example}. Correct or remove it.`);
    return undefined;
  }
}
