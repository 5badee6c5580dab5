import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { LRUCache } from 'lru-cache'
import { createOpenEffects, effectId, type FindOpenEffects, partsOfEffect } from '#journal/effects'
import type { Journal, JournalLine } from '#journal/journal'
import type { JournalReader } from '#journal/journal-reader'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { abortSignalOf } from '#servers/protocol/cancellation'
import type { Message } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { qualifiedName } from '#servers/protocol/server-account'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import { isRunning } from '../../files/is-running.ts'
import { canShow } from '../../upstream/questions.ts'
import { canonicalJson } from '../approval/approval.ts'
import { ownerOf } from '../stages/caller.ts'

export interface EffectsOptions {
  journal: Journal
  find: FindOpenEffects
  /** Minutes for which a call with an unknown outcome is not sent again; 0 for never held. */
  holdRepeatsMinutes?: number | undefined
  /** Adds its own id to those of this process. Default: all of this process. */
  writers?: Set<string> | undefined
}

const defaultMinutes = 15
/** How far back a start looks, and at how many lines: a call has two. */
const judgedMinutes = 24 * 60
const maxJudged = 2_000
/** Answers that count as a question: the same call after one is sent. */
const maxAnswers = 1_000

/** Writers of all aggregators of this process. */
const ofThisProcess = new Set<string>()

/** Writes calls that may change something before they are sent, and holds repetitions. */
export type Effects = ReturnType<typeof createEffects>

export function createEffects({
  journal,
  find,
  holdRepeatsMinutes,
  writers = ofThisProcess,
}: EffectsOptions) {
  const minutes = holdRepeatsMinutes ?? defaultMinutes
  const host = hostname().replaceAll(':', '-')
  const own = `${host}:${process.pid}:${randomBytes(4).toString('hex')}`
  writers.add(own)
  const answered = new LRUCache<string, true>({ max: maxAnswers })
  const noted = new Set<string | undefined>()
  let count = 0

  /** A process of another machine is not seen. */
  function stateOf(writer: string): 'runs' | 'ended' | 'elsewhere' {
    const [writerHost, pid] = writer.split(':')
    if (writers.has(writer)) return 'runs'
    if (writerHost !== host) return 'elsewhere'
    // A container begins with the same id again.
    return Number(pid) !== process.pid && isRunning(Number(pid)) ? 'runs' : 'ended'
  }

  const writerStateOf = ({ effect = '' }: JournalLine) => stateOf(partsOfEffect(effect).writer)

  /** Writes the line of a call that no other process will write. */
  async function note(begun: JournalLine): Promise<void> {
    const state = writerStateOf(begun)
    const isOld = begun.time < ago(defaultMinutes)
    if (noted.has(begun.effect)) return
    noted.add(begun.effect)
    if (state === 'ended' || (state === 'elsewhere' && isOld))
      await journal.write({ ...begun, kind: 'call', outcome: 'unknown' })
  }

  /** The latest equal call whose outcome is unknown. */
  async function lostOf(key: string): Promise<JournalLine | undefined> {
    if (minutes === 0) return undefined
    const lines = await find(key, ago(minutes)).catch((error: Error) => {
      throw unreadable(error)
    })
    return lines.findLast((line) => line.kind !== 'begun' || writerStateOf(line) !== 'runs')
  }

  return {
    /**
     * Undefined for a tool that only reads. Otherwise the id to begin the call with.
     * @throws {AggregatorError} `outcome_unknown` for a repetition
     */
    async admit(
      tool: CatalogTool,
      args: unknown,
      context: RequestContext,
      again: Again,
    ): Promise<string | undefined> {
      const { readOnlyHint, idempotentHint } = Object(tool.definition['annotations'])
      if (readOnlyHint === true) return undefined
      const key = keyOf(tool, args, context)
      const lost = idempotentHint === true || again === true ? undefined : await lostOf(key)
      if (lost !== undefined && !answered.delete(key)) {
        if (lost.kind === 'begun') await note(lost)
        const name = `${qualifiedName(tool.server)}.${tool.name}`
        if (!(await isWanted(name, lost, context))) {
          if (again === undefined) answered.set(key, true)
          throw wasSent(name, lost, again)
        }
      }
      return effectId(key, own, ++count)
    },
    /** Writes the lines of calls whose processes have ended, of the last day. */
    async judge(reader: Pick<JournalReader, 'search'>): Promise<void> {
      const since = ago(judgedMinutes)
      const matches = ({ effect }: JournalLine): boolean => effect !== undefined
      const { lines } = await reader.search({ matches, text: '"effect"', since, limit: maxJudged })
      const open = createOpenEffects()
      open.add(lines)
      for (const line of open.all()) if (line.kind === 'begun') await note(line)
    },
  }
}

const unreadable = (error: Error): AggregatorError =>
  new AggregatorError(
    'journal_unwritable',
    `The journal cannot be read: ${error.message}. Nothing was called.`,
    'The operator must repair it: a call that may change something is looked for in it.',
    error,
  )

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()

/** `again` of the caller; undefined where a caller cannot say it. */
type Again = boolean | undefined

/** What is the same for equal calls of one caller. */
function keyOf({ server, upstreamName }: CatalogTool, args: unknown, context: RequestContext) {
  const parts = [ownerOf(context.session), qualifiedName(server), upstreamName, args ?? {}]
  return createHash('sha256').update(canonicalJson(parts)).digest('hex').slice(0, 32)
}

/** Asks the user of a client that can be asked. */
async function isWanted(name: string, lost: JournalLine, context: RequestContext) {
  const form: Message = {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: `Send this call again? ${name} ${sentAt(lost)}.`,
      requestedSchema: { type: 'object', properties: {} },
    },
  }
  if (!canShow(form, context.capabilities)) return false
  const answer = await context.ask(form, abortSignalOf(context.signal))
  return answer['action'] === 'accept'
}

const sentAt = ({ time, outcome, kind }: JournalLine): string =>
  `was sent with the same arguments at ${time}, and its outcome is unknown${kind === 'begun' || outcome === 'unknown' ? '' : ` (${outcome})`}`

const wasSent = (name: string, lost: JournalLine, again: Again): AggregatorError =>
  new AggregatorError(
    'outcome_unknown',
    `${name} ${sentAt(lost)}: it may have been done. It was not sent again.`,
    again === undefined
      ? 'Look whether it was done. If it is to be done again, make the same call once more.'
      : 'Look whether it was done. If it is to be done again, add "again": true next to "params".',
  )
