import { createReadStream, type Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type FindRecord, Ledger } from './ledger.ts'
import { membersOf } from './members.ts'
import { ClaudeCodeReader } from './readers/claude-code.ts'
import { CodexReader } from './readers/codex.ts'
import type { TranscriptReader } from './transcript.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** A client whose transcripts can be read. */
export interface RecordingClient {
  name: string
  title: string
  folders(variables: Variables, home: string): string[]
  read(): TranscriptReader
}

/** To add a client: a row, and a reader of its records. */
export const recordingClients: readonly RecordingClient[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    folders: ({ CLAUDE_CONFIG_DIR }, home) =>
      (CLAUDE_CONFIG_DIR
        ? [CLAUDE_CONFIG_DIR]
        : [join(home, '.claude'), join(home, '.config', 'claude')]
      ).map((folder) => join(folder, 'projects')),
    read: () => new ClaudeCodeReader(),
  },
  {
    name: 'codex',
    title: 'Codex',
    folders: ({ CODEX_HOME }, home) =>
      ['sessions', 'archived_sessions'].map((name) =>
        join(CODEX_HOME || join(home, '.codex'), name),
      ),
    read: () => new CodexReader(),
  },
]

export interface ReadOptions {
  /** Milliseconds since 1970. */
  since?: number
  variables: Variables
  home: string
  /** What aggregators recorded, for a client by its name. */
  findRecord?: (client: string, ...query: Parameters<FindRecord>) => ReturnType<FindRecord>
  /** Called before each file. */
  onFile?: (done: number, files: number) => void
}

export interface Transcripts {
  ledger: Ledger
  /** The folders that were looked in, and the files that were read. */
  places: { client: string; folder: string; files: number; bytes: number }[]
}

/** Reads the transcripts of all clients; writes nothing. Holds one line at a time. */
export async function readTranscripts(options: ReadOptions): Promise<Transcripts> {
  const { since, variables, home, findRecord, onFile } = options
  const ledger = new Ledger(since)
  const found: { client: RecordingClient; path: string; stats: Stats }[] = []
  const places: Transcripts['places'] = []
  for (const client of recordingClients)
    for (const folder of client.folders(variables, home)) {
      const before = found.length
      for await (const path of filesIn(folder, ledger)) {
        const stats = await stat(path).catch((error: Error) => unreadable(ledger, 'file', error))
        if (!stats) continue
        if (stats.mtimeMs < (since ?? 0)) ledger.note('file that ended before the period')
        else found.push({ client, path, stats })
      }
      const own = found.slice(before)
      const bytes = own.reduce((sum, { stats }) => sum + stats.size, 0)
      places.push({ client: client.name, folder, files: own.length, bytes })
    }
  // A file comes after those that it continues.
  found.sort((a, b) => a.stats.mtimeMs - b.stats.mtimeMs || (a.path < b.path ? -1 : 1))
  for (const [done, { client, path }] of found.entries()) {
    onFile?.(done, found.length)
    await readFile(ledger, client, path, (...query) => findRecord?.(client.name, ...query))
  }
  return { ledger, places }
}

/** Without the path, which names sessions. */
function unreadable(ledger: Ledger, what: 'file' | 'folder', error: NodeJS.ErrnoException): void {
  ledger.note(`${what} that cannot be read: ${error.code ?? error.message}`)
}

/** Depth of folders: clients have three, and four for what agents start. */
const maxDepth = 8

async function* filesIn(folder: string, ledger: Ledger, depth = 0): AsyncIterable<string> {
  if (depth > maxDepth) return ledger.note('folder too deep to be read')
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (error.code !== 'ENOENT') unreadable(ledger, 'folder', error)
    return []
  })
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path, ledger, depth + 1)
    else if (entry.isSymbolicLink()) ledger.note('symbolic link, not followed')
    else if (entry.isFile() && extname(entry.name) === '.jsonl') yield path
    else if (/^rollout-/.test(entry.name))
      ledger.note(`transcript as ${extname(entry.name)}, not read`)
  }
}

async function readFile(
  ledger: Ledger,
  client: RecordingClient,
  path: string,
  findRecord: FindRecord,
): Promise<void> {
  const { take } = ledger.open(client.name, path, findRecord)
  const reader = client.read()
  const takeRecord = (record: Record<string, unknown>): void => {
    try {
      for (const event of reader.read(record)) take(event)
    } catch {
      // What is nested more deeply than the stack.
      ledger.note('record that cannot be read')
    }
  }
  try {
    for await (const { text, isEnded } of linesIn(path, ledger)) {
      const record = parsed(text)
      if (record) takeRecord(record)
      else ledger.note(isEnded ? 'line that is not JSON' : 'last line that is half-written')
    }
    for (const event of reader.end()) take(event)
  } catch (error) {
    unreadable(ledger, 'file', error as Error)
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Bytes. Longer lines have been images, or files whole. */
const maxLine = 64 * 1024 * 1024

async function* linesIn(path: string, ledger: Ledger) {
  let parts: Buffer[] = []
  let bytes = 0
  const line = (end: Buffer, isEnded: boolean) => {
    const text = Buffer.concat([...parts, end])
      .toString('utf8')
      .trim()
    if (bytes > maxLine) ledger.note('line of more than 64 MB, not read')
    const isRead = bytes <= maxLine && text !== ''
    parts = []
    bytes = 0
    return isRead ? [{ text, isEnded }] : []
  }
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      bytes += end - from
      yield* line(chunk.subarray(from, end), true)
      from = end + 1
    }
    bytes += chunk.length - from
    if (bytes <= maxLine) parts.push(chunk.subarray(from))
    else parts = []
  }
  yield* line(Buffer.alloc(0), false)
}
