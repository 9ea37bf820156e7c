import { Option, type Command } from 'commander';
import { tokenSetting } from '../admin-http/admin-config.ts';
import {
  adminScopes,
  createToken,
  hashToken,
  tokenName,
  type AdminScope,
} from '../admin-http/admin-token.ts';
import { invalidRequest } from '../http/errors.ts';
import { jsonOption, type JsonOption } from './filter-options.ts';
import { withAdminContext } from './open-admin-context.ts';
import { print, printJson } from './output.ts';

interface TokenOptions extends JsonOption {
  readonly scope: readonly AdminScope[];
}

export function addMaintenanceCommands(program: Command): void {
  program
    .command('token <name>')
    .description('create a token for inbox and API; it is shown once and not stored')
    .addOption(
      new Option('--scope <scopes...>', 'permissions of the token').choices(adminScopes).default(['read']),
    )
    .option(...jsonOption)
    .action((name: string, { scope, json }: TokenOptions) => {
      if (!tokenName.test(name)) {
        throw invalidRequest(
          'A name consists of 1 to 32 lower-case letters, digits and hyphens, and does not begin with a hyphen.',
        );
      }
      const token = createToken();
      const setting = tokenSetting({ name, scopes: [...new Set(scope)], hash: hashToken(token) });
      if (json) return printJson({ name, token, setting });
      print(`Token for ${name}:   ${token}`);
      print(`Add to ADMIN_TOKENS:   ${setting}`);
      print('Entries are separated by commas. Remove an entry and restart the service to revoke the token.');
    });
  program
    .command('migrate')
    .description('migrate the database schema, as the service does at every start')
    .action(async () => {
      const where = await withAdminContext(async ({ database }) => database.where, { mayCreate: true });
      print(`The schema of ${where} is up to date.`);
    });
}
