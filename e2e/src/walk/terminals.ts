import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { waitForLine } from '../site/running-site.ts';

/** The terminals of a reader: a shell that keeps its variables and folder, and one for each program that goes on. */
export interface Terminals {
  /** Types a command in the shell, and waits until it ends. Returns what it prints on both outputs, and its exit code. */
  run(command: string, heard?: (line: string) => void): Promise<{ lines: string[]; exitCode: number }>;
  /** Types a command in a terminal of its own, and waits for the line that says how to stop it. */
  start(command: string): Promise<readonly string[]>;
  /** Presses Ctrl-C where a program goes on, and closes all. Returns the exit codes of these programs. */
  close(): Promise<readonly (number | null)[]>;
}

/** @param shellFolder where the shell begins; programs that go on are started in `folder` */
export function openTerminals(folder: string, env: NodeJS.ProcessEnv, shellFolder: string): Terminals {
  // As the leader of a process group, which receives Ctrl-C as a whole.
  const open = (cwd: string, ...words: readonly string[]) =>
    spawn('bash', ['--noprofile', '--norc', ...words], { cwd, env, detached: true });
  const shell = open(shellFolder);
  const printed = createInterface(shell.stdout)[Symbol.asyncIterator]();
  const programs: ChildProcess[] = [];

  async function end(program: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
    if (program.exitCode !== null || program.signalCode !== null) return program.exitCode;
    const ended = once(program, 'exit');
    process.kill(-Number(program.pid), signal);
    await ended;
    return program.exitCode;
  }

  return {
    async run(command, heard = () => undefined) {
      const marker = `ended-${process.hrtime.bigint()}`;
      shell.stdin.write(`{ ${command}\n} </dev/null 2>&1\nprintf '\\n${marker} %d\\n' $?\n`);
      const lines: string[] = [];
      for (;;) {
        const { value: line, done } = await printed.next();
        if (done) throw new Error(`The shell has ended:\n${lines.join('\n')}`);
        const [, exitCode] = line.split(`${marker} `);
        // Before it, there is a line break, or an empty line.
        if (exitCode !== undefined)
          return { lines: lines.slice(0, lines.at(-1) ? undefined : -1), exitCode: Number(exitCode) };
        lines.push(line);
        heard(line);
      }
    },
    async start(command) {
      const program = open(folder, '-c', command);
      programs.push(program);
      const lines: string[] = [];
      await waitForLine(program, /Ctrl-C stops it$/, lines);
      return [...lines];
    },
    async close() {
      await end(shell, 'SIGKILL');
      return Promise.all(programs.map((program) => end(program, 'SIGINT')));
    },
  };
}
