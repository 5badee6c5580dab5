import { z } from 'zod'
import { schemaMessage } from '#servers/config/schema-message'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { quoteValue } from '#servers/protocol/quote-value'
import { parseJson } from '../../call/results/document.ts'
import type { Wanted } from '../../call/results/select.ts'
import { oddReferenceIn, referencesIn } from './references.ts'

/** One line of a batch. */
export interface Command {
  /** From 1. */
  line: number
  id: string
  module: string | undefined
  account: string | undefined
  tool: string
  params: unknown
  /** Ids of commands that must finish first, including those it refers to. */
  after: readonly string[]
  /** The reply contains the result. */
  output: boolean
  /** What of it, as it was written. */
  select: unknown
  /** Sent although its outcome is unknown. */
  again: boolean
}

/** A command whose tool and arguments were found to be valid. */
export interface Planned extends Command {
  select: Wanted | undefined
}

const names = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(z.string()).nullish(),
)

const shape = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'must consist of letters, digits, "_" and "-"')
      .optional(),
    module: z.string().min(1).optional(),
    /** The same as module. */
    server: z.string().min(1).optional(),
    account: z.string().min(1).nullish(),
    tool_name: z.string().min(1).optional(),
    tool: z.string().min(1).optional(),
    params: z.unknown().optional(),
    arguments: z.unknown().optional(),
    after: names,
    output: z.boolean().nullish(),
    select: z.unknown().optional(),
    again: z.boolean().nullish(),
  })
  .refine(({ module, server }) => module === undefined || server === undefined, {
    message: 'must have module or server, not both',
  })
  .refine(({ tool, tool_name }) => (tool === undefined) !== (tool_name === undefined), {
    message: 'must have one tool_name',
  })

/** Faults reported in one reply. */
const maxFaults = 10

/** Parses lines of JSON, or a list of objects; `faults` are those of the other lines. */
export function parseCommands(
  input: unknown,
  most: number,
): { commands: Command[]; faults: string[] } {
  const rows: Row[] = Array.isArray(input)
    ? input.map((value: unknown, index) => ({ line: index + 1, value }))
    : rowsIn(input)
  const faults: string[] = []
  if (rows.length === 0) faults.push('There are no commands')
  if (rows.length > most)
    faults.push(`There are ${rows.length} commands; at most ${most} are allowed`)
  const commands = rows.slice(0, most).flatMap(({ line, value, fault }) => {
    const parsed = fault === undefined ? readCommand(line, value) : fault
    if (typeof parsed !== 'string') return [parsed]
    faults.push(`line ${line}: ${parsed}`)
    return []
  })
  // Otherwise an id may be that of a line that cannot be read.
  const hasAllIds = faults.length === 0
  return { commands, faults: [...faults, ...faultsAmong(commands, hasAllIds)] }
}

export function refused(faults: readonly string[]): AggregatorError {
  const more = faults.length > maxFaults ? `\n… ${faults.length - maxFaults} more` : ''
  return new AggregatorError(
    'bad_argument',
    `The batch was rejected and nothing was called:\n${faults.slice(0, maxFaults).join('\n')}${more}\n`,
    'Each line is {"id":"a","module":"…","tool_name":"…","params":{…},"after":["…"],"output":true}; ${a.field} is a value from the result of a, and $${ is a literal ${.',
  )
}

interface Row {
  line: number
  value?: unknown
  fault?: string
}

function rowsIn(input: unknown): Row[] {
  if (typeof input !== 'string') return []
  const list = input.trim().startsWith('[') ? parseJson(input) : undefined
  if (Array.isArray(list)) return list.map((value, index) => ({ line: index + 1, value }))
  return input.split(/\r?\n/).flatMap((text, index): Row[] => {
    if (text.trim() === '') return []
    try {
      return [{ line: index + 1, value: JSON.parse(text) }]
    } catch (error) {
      return [{ line: index + 1, fault: `not valid JSON${placeOf(error)}` }]
    }
  })
}

/** Where a text is not valid JSON, if the parser reports it. */
function placeOf(error: unknown): string {
  const [, at] = /position (\d+)/.exec((error as Error).message) ?? []
  return at === undefined ? '' : ` at character ${Number(at) + 1}`
}

function readCommand(line: number, value: unknown): Command | string {
  const parsed = shape.safeParse(value, { error: schemaMessage })
  if (!parsed.success) {
    return parsed.error.issues
      .map(({ path, message }) => (path.length > 0 ? `${path.join('.')} ${message}` : message))
      .join('; ')
  }
  const {
    id = `line${line}`,
    server,
    module = server,
    tool,
    tool_name,
    after,
    output,
    select,
  } = parsed.data
  const params = parsedText(parsed.data.params ?? parsed.data.arguments)
  const odd = oddReferenceIn(params)
  if (odd !== undefined)
    return `${quoteValue(odd)} is not a reference; write \${id.field[0]}, or $\${ for a literal \${`
  const referred = referencesIn(params).map((reference) => reference.id)
  return {
    line,
    id,
    module,
    account: parsed.data.account ?? undefined,
    tool: (tool_name ?? tool) as string,
    params,
    after: [...new Set([...(after ?? []), ...referred])],
    output: output ?? (select !== undefined && select !== null),
    select,
    again: parsed.data.again ?? false,
  }
}

/** Parsed before references are resolved: their values must not become part of the syntax. */
function parsedText(params: unknown): unknown {
  const parsed = typeof params === 'string' ? parseJson(params) : undefined
  return parsed ?? params
}

/** Faults between lines: duplicate ids, unknown ids and cycles. */
function faultsAmong(commands: readonly Command[], hasAllIds: boolean): string[] {
  const byId = new Map<string, Command>()
  const faults: string[] = []
  for (const command of commands) {
    const before = byId.get(command.id)
    if (before)
      faults.push(`line ${command.line}: id ${command.id} is already used in line ${before.line}`)
    else byId.set(command.id, command)
  }
  for (const { line, after } of commands)
    for (const id of after)
      if (hasAllIds && !byId.has(id))
        faults.push(
          `line ${line}: there is no id ${quoteValue(id)}; the ids are ${[...byId.keys()].slice(0, 20).join(', ')}`,
        )
  if (faults.length > 0) return faults
  const circle = circleIn(commands, byId)
  return circle ? [`The commands wait for each other: ${circle.join(' → ')}`] : []
}

/** The ids of a cycle; the first one is repeated at the end. */
function circleIn(
  commands: readonly Command[],
  byId: ReadonlyMap<string, Command>,
): string[] | undefined {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (id: string): string[] | undefined => {
    if (done.has(id)) return undefined
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id]
    path.push(id)
    for (const next of byId.get(id)?.after ?? []) {
      const circle = visit(next)
      if (circle) return circle
    }
    path.pop()
    done.add(id)
    return undefined
  }
  for (const { id } of commands) {
    const circle = visit(id)
    if (circle) return circle
  }
  return undefined
}
