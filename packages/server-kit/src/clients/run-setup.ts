import { UsageError } from '../settings/read-settings.ts'
import { AddError } from './add-error.ts'
import { type AddOptions, addServer } from './add-server.ts'
import { allClients, clientNames } from './all-clients.ts'
import type { Client, Launch } from './entries/client.ts'
import type { Guide, GuideForms } from './guide.ts'
import { isInstalled } from './is-installed.ts'
import { describeAddError, runAdd } from './run-add.ts'

export interface SetupOptions
  extends Pick<AddOptions, 'host' | 'name' | 'force' | 'needs'>,
    GuideForms {
  guide: Guide
  /** Write without a question. */
  write: boolean
  /** Return the plan as JSON, and write nothing. */
  json: boolean
  /** Shows a text and asks whether to write. Without it, `write` alone decides. */
  ask: ((text: string) => Promise<boolean>) | undefined
}

/** What is written for a client: nothing if it is there already, or for a reason. */
interface Plan {
  client: Client
  path?: string
  entry?: string
  problem?: string
}

/**
 * Runs `setup` of a command line: for each client of this computer and user, shows the file and the
 * entry, and writes it like `add CLIENT --user`. What is wrong with one does not stop the others.
 */
export async function runSetup(
  options: SetupOptions,
  launchFor: (client: Client) => Launch | Promise<Launch>,
): Promise<{ text: string; isOk: boolean }> {
  const { host, write, json, ask } = options
  const plans: Plan[] = []
  for (const client of allClients)
    if (await isInstalled(client, host)) plans.push(await planFor(client, options, launchFor))
  const isOk = plans.every(({ problem }) => problem === undefined)
  if (json) return { text: asJson(plans), isOk }
  const preview = plans.map(describePlan).join('\n')
  const toWrite = plans.filter(({ entry }) => entry !== undefined)
  if (plans.length === 0)
    return { text: `No client was found. Name one: add ${clientNames.join(', ')}.`, isOk: false }
  if (toWrite.length === 0) return { text: `${preview}\n\nThere is nothing to do.`, isOk }
  const hint = 'Nothing was written. Run it with --write; remove CLIENT --user reverts it.'
  if (!write && ask === undefined) return { text: `${preview}\n\n${hint}`, isOk }
  if (!write && !(await ask?.(preview))) return { text: hint, isOk }
  const lines = plans.filter(({ problem }) => problem).map(describePlan)
  for (const { client } of toWrite)
    try {
      lines.push(await runAdd({ ...options, client, isForUser: true }, launchFor))
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof AddError)) throw error
      lines.push(describePlan({ client, problem: error.message }))
    }
  return { text: lines.join('\n'), isOk: isOk && !lines.some((line) => line.startsWith(failed)) }
}

async function planFor(
  client: Client,
  options: SetupOptions,
  launchFor: (client: Client) => Launch | Promise<Launch>,
): Promise<Plan> {
  const launch = await launchFor(client)
  try {
    const added = await addServer({ ...options, client, launch, scope: 'user', print: true })
    return { client, path: added.path, ...(added.entry !== undefined && { entry: added.entry }) }
  } catch (error) {
    if (!(error instanceof AddError)) throw error
    return { client, problem: describeAddError(error) }
  }
}

const failed = 'Left out: '

function describePlan({ client: { title }, path, entry, problem }: Plan): string {
  if (problem !== undefined) return `${failed}${title}: ${problem}`
  if (entry === undefined) return `${title}: ${path} has it already.`
  return `${title}: ${path}\n${entry.trimEnd().replace(/^/gm, '  ')}`
}

const asJson = (plans: readonly Plan[]): string =>
  JSON.stringify({
    clients: plans.map(({ client: { name, title }, ...plan }) => ({ name, title, ...plan })),
    supported: clientNames,
  })
