import { UsageError } from '../settings/read-settings.ts'
import { AddError, type AddErrorCode } from './add-error.ts'
import { type AddOptions, type AddResult, addServer, removeServer } from './add-server.ts'
import { clientNames, findClient } from './all-clients.ts'
import type { Client, Launch, LaunchOptions } from './entries/client.ts'
import { type Guide, type GuideForms, removeGuide, writeGuide } from './guide.ts'

export interface RunOptions extends Pick<AddOptions, 'host' | 'name' | 'force'> {
  /** As on the command line. */
  client: string | Client | undefined
  /** Also remove or write these. */
  guide: Guide
  isForUser: boolean
}

/**
 * Runs `add <client>` of a command line, and describes the result. `launchFor` says how the client
 * starts the server. @throws {UsageError}
 */
export async function runAdd(
  options: RunOptions & Pick<AddOptions, 'needs' | 'print'> & GuideForms,
  launchFor: (client: Client) => Launch | Promise<Launch>,
): Promise<string> {
  const { print = false, force = false } = options
  return running('add', async () => {
    const own = withClient(options)
    const launch = await launchFor(own.client)
    // What is wrong with a guide is known before anything is written.
    await writeGuide({ ...own, print: true, force })
    const added = describeAdded(await addServer({ ...own, launch }))
    return [added, ...(await writeGuide({ ...own, print, force }))].join('\n')
  })
}

/**
 * Runs `remove <client>` of a command line: takes out what `add` wrote. @throws {UsageError}
 */
export async function runRemove(options: RunOptions & LaunchOptions): Promise<string> {
  const { main, packageName } = options
  const isOwn = (entry: string) => entry.includes(packageName) || entry.includes(main)
  return running('remove', async () => {
    const own = withClient(options)
    const guides = await removeGuide(own)
    try {
      const { path, isExact } = await removeServer({ ...own, isOwn })
      guides.push(`${path}: removed ${own.name}${isExact ? '; the file is as it was before' : ''}.`)
    } catch (error) {
      const isGone = error instanceof AddError && error.code === 'not_there'
      if (!isGone || guides.length === 0) throw error
    }
    return guides.join('\n')
  })
}

const withClient = <Options extends RunOptions>(options: Options) => {
  const { client, isForUser } = options
  return {
    ...options,
    client: typeof client === 'object' ? client : readClient(client),
    ...(isForUser && { scope: 'user' as const }),
  }
}

async function running(verb: string, run: () => Promise<string>): Promise<string> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AddError)) throw error
    const message = `${verb}: ${describeAddError(error)}`
    throw isUsage.has(error.code) ? new UsageError(message) : new AddError(error.code, message)
  }
}

/** What other options would change; a file that cannot be read or written is no wrong usage. */
const isUsage: ReadonlySet<AddErrorCode> = new Set([
  'unknown_client',
  'bad_name',
  'no_location',
  'name_taken',
  'not_own',
])

/** Describes the result for the user. */
export function describeAdded({ client, name, path, text, change, backup }: AddResult): string {
  if (change === 'printed') return `${path}\n\n${text}`
  if (change === 'there') return `${path} already has the server ${name}.`
  const kept = backup === undefined ? '' : ` The previous file is ${backup}.`
  return `${path}: ${change} ${name}.${kept}\nRestart ${client.title} to use it.`
}

/** What to do about an error, in the options of `add`. */
const remedies: Readonly<Partial<Record<AddErrorCode, string>>> = {
  no_location: 'Pass --user for all folders, or leave it out for this one.',
  name_taken: 'Pass another --name, or --force to replace it.',
  not_own: 'Pass --force to remove it.',
  file_changed: 'Try again.',
}

/** What is wrong, and what the user of a command line can do about it. */
export function describeAddError({ code, message }: AddError): string {
  const remedy = remedies[code]
  return remedy === undefined ? message : `${message} ${remedy}`
}

/** The client that the command line names. @throws {AddError} */
export function readClient(name: string | undefined): Client {
  const known = clientNames.join(', ')
  if (name === undefined) throw new AddError('unknown_client', `Name a client: ${known}.`)
  const client = findClient(name)
  if (client !== undefined) return client
  throw new AddError(
    'unknown_client',
    `There is no client ${JSON.stringify(name)}. Clients: ${known}.`,
  )
}
