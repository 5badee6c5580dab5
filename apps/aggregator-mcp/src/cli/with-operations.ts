import { userInfo } from 'node:os'
import { createKeychain, type Journal } from '@pith-mcp/aggregator'
import { allScopes, HttpEndpointError } from '@pith-mcp/server-kit'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { withState } from '../open/open-state.ts'
import { recordAdmin } from '../open/record-admin.ts'
import type { StateContext } from '../operations/context.ts'
import type { Operation, Performer } from '../operations/operation.ts'
import { perform, type RequestParts } from '../operations/perform.ts'
import { ApiError } from '../operations/problem.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { createSecretStore } from '../secrets/secret-store.ts'
import type { CommandContext } from './command.ts'

type Opening = Pick<CommandContext, 'settings' | 'log'>

/**
 * Performs an operation as the user of this process. `command` is what messages begin with.
 * @throws {UsageError} for what the API would answer with a problem
 */
export type Perform = <Input, Output>(
  command: string,
  operation: Operation<Input, Output, StateContext>,
  parts?: RequestParts,
) => Promise<Output>

/**
 * Opens the state for operations. No aggregator is opened, and no server started. Only changes, and
 * what reads the journal, need the configuration, which says where that is.
 */
export async function withOperations<T>(
  { settings, log }: Opening,
  readsConfig: boolean,
  work: (context: StateContext, perform: Perform) => Promise<T> | T,
): Promise<T> {
  // The command may be the one that creates or repairs the configuration.
  const config = readsConfig
    ? await readConfigFiles(settings).catch((error: Error) => error)
    : new Error('The configuration was not read.')
  const where = config instanceof Error ? undefined : config.settings.journal
  return withState(settings, where, log, async (state) => {
    let journal: Journal | undefined
    const context: StateContext = {
      settings,
      state,
      get journal() {
        journal ??= state.openJournal()
        return journal
      },
      config() {
        if (config instanceof Error) throw config
        return config
      },
      secrets: createSecretStore(createKeychain(), settings.state),
      changed() {},
    }
    try {
      return await work(context, (command, operation, parts = {}) =>
        perform(operation, parts, context, performer()).catch((error: unknown) => {
          throw asUsageError(error, command)
        }),
      )
    } finally {
      await journal?.close()
    }
  })
}

/** Runs a command that changes something, and writes it to the journal of the configuration. */
export const recordCommand = (
  tool: string,
  opening: Opening,
  run: () => Promise<number>,
): Promise<number> =>
  withOperations(opening, true, (context) => {
    const { caller, via } = performer()
    return recordAdmin({ caller, via, tool }, context, run)
  })

const performer = (): Performer => ({
  // In a container, a user may have no name.
  caller: `user:${process.getuid?.() ?? userInfo().username}`,
  via: 'cli',
  principal: { kind: 'owner', scopes: new Set(allScopes) },
  signal: new AbortController().signal,
})

/** The members of a body are options of a command. */
function asUsageError(error: unknown, command: string): unknown {
  const isExpected =
    error instanceof ApiError || error instanceof HttpEndpointError || error instanceof UsageError
  if (!isExpected) return error
  return new UsageError(`${command}: ${error.message.replace(/^(?:body|query)\./, '--')}`)
}
