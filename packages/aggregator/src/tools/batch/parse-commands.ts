import { z } from 'zod'
import { parseJson } from '../../call/results/document.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { shown } from '../../protocol/shown.ts'
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
  /** Ids of commands that have to be done before, those that are referred to included. */
  after: readonly string[]
  /** The result is wanted in the reply. */
  output: boolean
}

const names = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(z.string()).nullish(),
)

const shape = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'has to be a word of letters, digits, "_" and "-"')
      .optional(),
    module: z.string().min(1).optional(),
    account: z.string().min(1).nullish(),
    tool_name: z.string().min(1).optional(),
    tool: z.string().min(1).optional(),
    params: z.unknown().optional(),
    arguments: z.unknown().optional(),
    after: names,
    output: z.boolean().nullish(),
  })
  .refine(({ tool, tool_name }) => (tool === undefined) !== (tool_name === undefined), {
    message: 'needs one tool_name',
  })

/** Faults that are told at once. */
const mostFaults = 10

/**
 * Read lines of JSON, or a list of objects. All faults are found before anything is called.
 * @throws {AggregatorError} `bad_argument`, with the lines
 */
export function parseCommands(given: unknown, most: number): Command[] {
  const rows: Row[] = Array.isArray(given)
    ? given.map((value: unknown, index) => ({ line: index + 1, value }))
    : rowsIn(given)
  const faults: string[] = []
  if (rows.length === 0) faults.push('there is no command')
  if (rows.length > most) faults.push(`${rows.length} commands are more than the ${most} allowed`)
  const commands = rows.slice(0, most).flatMap(({ line, value, fault }) => {
    const parsed = fault === undefined ? readCommand(line, value) : fault
    if (typeof parsed !== 'string') return [parsed]
    faults.push(`line ${line}: ${parsed}`)
    return []
  })
  if (faults.length === 0) faults.push(...faultsAmong(commands))
  if (faults.length > 0) throw refused(faults)
  return commands
}

export function refused(faults: readonly string[]): AggregatorError {
  const more = faults.length > mostFaults ? `\n… ${faults.length - mostFaults} more` : ''
  return new AggregatorError(
    'bad_argument',
    `The batch was refused and nothing was called:\n${faults.slice(0, mostFaults).join('\n')}${more}\n`,
    'A line is {"id":"a","module":"…","tool_name":"…","params":{…},"after":["…"],"output":true}; ${a.field} stands for what a gave, $${ for ${ itself.',
  )
}

interface Row {
  line: number
  value?: unknown
  fault?: string
}

function rowsIn(given: unknown): Row[] {
  if (typeof given !== 'string') return []
  const whole = given.trim().startsWith('[') ? parseJson(given) : undefined
  if (Array.isArray(whole)) return whole.map((value, index) => ({ line: index + 1, value }))
  return given.split(/\r?\n/).flatMap((text, index): Row[] => {
    if (text.trim() === '') return []
    try {
      return [{ line: index + 1, value: JSON.parse(text) }]
    } catch (error) {
      return [{ line: index + 1, fault: `no JSON: ${(error as Error).message.slice(0, 160)}` }]
    }
  })
}

function readCommand(line: number, value: unknown): Command | string {
  const parsed = shape.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const at = issue?.path.length ? `${issue.path.join('.')} ` : ''
    return `${at}${issue?.message ?? 'is wrong'}`
  }
  const { id = `line${line}`, module, tool, tool_name, after, output } = parsed.data
  const params = parsedText(parsed.data.params ?? parsed.data.arguments)
  const odd = oddReferenceIn(params)
  if (odd !== undefined)
    return `${shown(odd)} is no reference; one is \${id.field[0]}, and $\${ stands for \${ itself`
  const referred = referencesIn(params).map((reference) => reference.id)
  return {
    line,
    id,
    module,
    account: parsed.data.account ?? undefined,
    tool: (tool_name ?? tool) as string,
    params,
    after: [...new Set([...(after ?? []), ...referred])],
    output: output ?? false,
  }
}

/** Before references are looked for: what is put in must not become part of the syntax. */
function parsedText(params: unknown): unknown {
  const parsed = typeof params === 'string' ? parseJson(params) : undefined
  return parsed ?? params
}

/** What is wrong between lines: ids given twice, unknown ids, circles. */
function faultsAmong(commands: readonly Command[]): string[] {
  const byId = new Map<string, Command>()
  const faults: string[] = []
  for (const command of commands) {
    const before = byId.get(command.id)
    if (before) faults.push(`line ${command.line}: id ${command.id} is that of line ${before.line}`)
    else byId.set(command.id, command)
  }
  for (const { line, after } of commands)
    for (const id of after)
      if (!byId.has(id))
        faults.push(
          `line ${line}: there is no id ${shown(id)}; ids are ${[...byId.keys()].slice(0, 20).join(', ')}`,
        )
  if (faults.length > 0) return faults
  const circle = circleIn(commands, byId)
  return circle ? [`a circle: ${circle.join(' → ')}`] : []
}

/** Ids that wait for each other, the first again at the end. */
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
