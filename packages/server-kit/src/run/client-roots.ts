import { realpathSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** Milliseconds for a client to say which folders it has open. */
const maxListMs = 5_000

/** The folders that a client has open, or the question for them; none if it cannot say. */
export async function clientRoots(
  server: Server,
  { mcpReq: { envelope, inputResponses } }: ServerContext,
): Promise<string[] | InputRequiredResult> {
  if (envelope === undefined) {
    if (!server.getClientCapabilities()?.roots) return []
    const answer = await server.listRoots(undefined, { timeout: maxListMs }).catch(() => undefined)
    return foldersOf(answer?.roots ?? [])
  }
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = envelope as Record<string, unknown>
  if (!(capabilities as ClientCapabilities | undefined)?.roots) return []
  const response = inputResponse(inputResponses, 'roots')
  if (response.kind === 'roots') return foldersOf(response.roots)
  if (inputResponses !== undefined) return []
  return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
}

/** The folders of this machine among the roots of a client. */
const foldersOf = (roots: readonly { uri: string }[]): string[] =>
  roots.flatMap(({ uri }) => {
    try {
      const folder = realpathSync(fileURLToPath(uri))
      return isFolder(folder) ? [folder] : []
    } catch {
      return []
    }
  })

/** False for what does not exist. */
export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
