import type { AddOptions as Flags } from '../settings/http-lines.ts'
import type { AddOptions } from './add-server.ts'
import { type Client, type LaunchOptions, launchOf } from './entries/client.ts'
import type { Guide } from './guide.ts'
import { type HostEnvironment, hostEnvironment } from './locations/location.ts'
import { type RunOptions, runAdd, runRemove } from './run-add.ts'
import { runSetup, type SetupOptions } from './run-setup.ts'

/** The flags of `add` and `remove`, and the client: by default the first argument. */
type CommandLine = Flags & Partial<Pick<RunOptions, 'client'>> & { positionals?: readonly string[] }

/**
 * The commands `add`, `remove` and `setup` of a server, by which it adds itself to a client, takes
 * itself out, and adds itself to all. They resolve to what was done, and reject with a UsageError.
 */
export function ownCommands(
  server: { defaultName: string; packageName: string; guide: Guide },
  environment: HostEnvironment['variables'],
) {
  const { defaultName, packageName, guide } = server
  const program = (): LaunchOptions => ({ main: process.argv[1] ?? '', packageName })
  const optionsOf = ({ name = defaultName, user, positionals = [], ...line }: CommandLine) => ({
    client: positionals[0],
    ...line,
    name,
    isForUser: user,
    guide,
    host: hostEnvironment(environment),
  })
  const launchWith = (argsFor: (client: Client) => readonly string[]) => (client: Client) => {
    const { command, args } = launchOf(program())
    return { command, args: [...args, ...argsFor(client)] }
  }
  return {
    /** `argsFor`: the arguments with which the client starts the server. */
    add: (
      line: CommandLine & Pick<AddOptions, 'needs'>,
      argsFor: (client: Client) => readonly string[],
    ): Promise<string> =>
      runAdd({ ...optionsOf(line), ...(line.needs && { needs: line.needs }) }, launchWith(argsFor)),
    remove: (line: CommandLine): Promise<string> => runRemove({ ...optionsOf(line), ...program() }),
    /** Not OK: something is wrong with one of the clients. */
    setup: (
      {
        json,
        ask,
        needs,
        ...line
      }: CommandLine & Pick<AddOptions, 'needs'> & Pick<SetupOptions, 'json' | 'ask'>,
      argsFor: (client: Client) => readonly string[],
    ): Promise<{ text: string; isOk: boolean }> =>
      runSetup({ ...optionsOf(line), json, ask, ...(needs && { needs }) }, launchWith(argsFor)),
  }
}
