import { z } from 'zod'
import {
  type Argument,
  type Field,
  question,
  type RegistryPackage,
  type Remote,
  type Template,
} from './registry-entry.ts'
import { ecosystems, oddWords, risksOf, unsafePackage } from './risks.ts'

/** A package to start, or an address to connect to. */
export type Choice = RegistryPackage | Remote
const isRemote = (choice: Choice): choice is Remote => 'url' in choice

/** What a person may enter. */
export const input = question.extend({ name: z.string(), isRepeated: z.boolean() })
type Input = z.output<typeof input>

/** What is entered, by the names of inputs; an empty value leaves the input out. */
export type Values = Readonly<Record<string, readonly string[]>>

export interface Plan {
  /** For `mcpServers`. */
  entry: Record<string, unknown>
  inputs: Input[]
  /** Values that must be stored, by their names. */
  secrets: Readonly<Record<string, string>>
  /** What is wrong with the values. */
  problems: string[]
  /** What a person must accept. */
  risks: string[]
}

/** What a choice is, what it means to add it, and why it cannot be added. */
export function describeChoice(choice: Choice) {
  const refusal = refusalOf(choice)
  if (isRemote(choice)) {
    const { type, url } = choice
    const host = /^https?:\/\/(?:[^/?#\\]*@)?([^/?#\\]+)/i.exec(url)?.[1]
    const effect = `Sends your calls to ${host ?? 'an address that you enter'}`
    return { kind: 'remote' as const, type, what: url, effect, refusal }
  }
  const { registryType: type } = choice
  const { argumentsOf } = createInputs({}, '', String)
  const isOpen = oddWords(type, argumentsOf(choice.runtimeArguments)).length > 0
  const where = type === 'oci' ? `in a container ${isOpen ? 'with access to what is ' : ''}` : ''
  const effect = `Runs ${where}on the machine of the aggregator`
  return { kind: 'package' as const, type, what: referenceOf(choice), effect, refusal }
}

function refusalOf(choice: Choice): string | undefined {
  if (isRemote(choice)) {
    if (!/^(?:streamable-http|http|sse)$/.test(choice.type))
      return `It is reached over ${choice.type}, which is not supported.`
    const isBroken = ({ value = '' }: Template): boolean => /[\r\n]/.test(value)
    return choice.headers.some(isBroken) ? 'One of its headers has a line break.' : undefined
  }
  const { registryType: type, runtimeHint: program, transport } = choice
  const { programs } = ecosystems[type] ?? {}
  if (type === 'mcpb')
    return 'It is a bundle, which must be downloaded and checked by its hash. That is not supported.'
  if (programs === undefined) return `Packages of type ${type} are not supported.`
  if (transport.type !== 'stdio')
    return `It serves ${transport.type} on its machine. Start it yourself, and add its URL.`
  if (program !== undefined && !programs.includes(program))
    return `It is started by ${program}. Only ${programs.join(' and ')} are supported.`
  return unsafePackage(choice)
}

/** A package with its version, which `identifier` of an image may have. */
function referenceOf(choice: RegistryPackage): string {
  const { registryType: type, registryBaseUrl: base, identifier, version } = choice
  if (type !== 'oci') return version === undefined ? identifier : `${identifier}@${version}`
  const host = base === undefined ? 'docker.io' : new URL(base).host
  const isHere = host === 'docker.io' || identifier.startsWith(`${host}/`)
  const hasVersion = version === undefined || /[:@][^/]*$/.test(identifier)
  return `${isHere ? '' : `${host}/`}${identifier}${hasVersion ? '' : `:${version}`}`
}

interface PlanOptions {
  /** What an entry has in place of a secret. */
  referenceTo?: (name: string) => string
  /** Known to this program, and not from a registry. */
  isBuiltIn?: boolean
}

/**
 * The entry that a choice becomes with these values. Secrets are named by `prefix` and input.
 */
export function planEntry(
  choice: Choice,
  values: Values,
  prefix: string,
  { referenceTo = String, isBuiltIn = false }: PlanOptions = {},
): Plan {
  const { inputs, secrets, problems, textOf, argumentsOf } = createInputs(
    values,
    prefix,
    referenceTo,
  )
  let runtime: string[] = []
  const entry = isRemote(choice) ? urlOf(choice) : commandOf(choice)
  const names = inputs.map(({ name }) => name)
  const unknown = Object.keys(values).filter((name) => !names.includes(name))
  for (const name of unknown)
    problems.add(`There is no input ${name}. Inputs: ${names.join(', ') || 'none'}.`)
  const risks = risksOf(choice, runtime, isBuiltIn)
  return { entry, inputs, secrets, problems: [...problems], risks }

  /** Those that have a value, by name; undefined without any. */
  function pairsOf(list: readonly (Template & { name: string })[]): object | undefined {
    const pairs = list.map(({ name: key, ...field }) => [key, textOf(key, field)] as const)
    const valued = pairs.filter(([, text]) => text !== undefined)
    return valued.length > 0 ? Object.fromEntries(valued) : undefined
  }

  function urlOf({ type, url, variables, headers }: Remote): Plan['entry'] {
    const address = { isRequired: true, isSecret: false, format: 'string', value: url } as const
    const text = textOf('url', { ...address, variables }) ?? ''
    const sent = pairsOf(headers)
    return { ...(type === 'sse' && { type }), url: text, ...(sent && { headers: sent }) }
  }

  function commandOf(of: RegistryPackage): Plan['entry'] {
    const { registryType: type, runtimeHint } = of
    const { programs = [], first = [] } = ecosystems[type] ?? {}
    runtime = argumentsOf(of.runtimeArguments).filter((word) => !first.includes(word))
    const env = pairsOf(of.environmentVariables)
    const passed = type === 'oci' && env ? Object.keys(env).flatMap((name) => ['-e', name]) : []
    const words = argumentsOf(of.packageArguments)
    const after = type === 'nuget' ? ['--yes', ...(words.length > 0 ? ['--'] : [])] : []
    const args = [...first, ...runtime, ...passed, literal(referenceOf(of)), ...after, ...words]
    return { command: runtimeHint ?? programs[0], args, ...(env && { env }) }
  }
}

/** What a registry wrote is not a reference of ours, which could read files or run commands. */
const literal = (text: string): string => text.replaceAll('${', () => '$${')

/** Publishers often forget `isSecret`. */
const secretName = /(?:^|[^a-z])(?:api[_-]?key|token|secret|password|authorization)$/i
const reference = /\$\{[^}]+\}/
/** A secret of this form is written as it is; all others are stored. */
const onlyReference = /^(?:[a-z]+ )?\$\{[^{}]+\}$/i

/** Whether a person entered it: what a registry proposes is no reference, and not secret. */
const isOwn = (value: string | undefined, field: Omit<Field, 'value'>): value is string =>
  value !== undefined && value !== field.default && !field.choices?.includes(value)

/** Fills in values, and collects the inputs that they are for. */
function createInputs(values: Values, prefix: string, referenceTo: (name: string) => string) {
  const entries = new Map(Object.entries(values))
  const inputs: Input[] = []
  const secrets: Record<string, string> = {}
  const problems = new Set<string>()
  /** Which of its values an argument has, and how many there are. */
  let turn = { at: 0, count: 1, isRepeated: false }

  function ask(name: string, { value: constant, ...field }: Field): string | undefined {
    if (constant) return constant
    const { isRepeated } = turn
    const isSecret = field.isSecret || secretName.test(name)
    if (!inputs.some((input) => input.name === name))
      inputs.push({ ...field, name, isSecret, isRepeated })
    const entered = entries.get(name) ?? []
    turn.count = Math.max(turn.count, entered.length)
    const value = (entered[turn.at] ?? field.default) || undefined
    const isReference = isOwn(value, field) && (isSecret ? onlyReference : reference).test(value)
    if (isReference) return `\0${value}\0`
    const fault = entered.length > 1 && !isRepeated ? 'takes one value' : faultOf(value, field)
    if (fault !== undefined) problems.add(`${name} ${fault}.`)
    if (!isSecret || !isOwn(value, field)) return value
    const key = [prefix, name, ...(turn.at > 0 ? [turn.at + 1] : [])].join('.')
    secrets[key] = value
    return `\0${referenceTo(key)}\0`
  }

  /** The text of an input; undefined if it, or a part of it, has no value. */
  function textOf(name: string, { variables, ...field }: Template): string | undefined {
    let isComplete = true
    const fill = (part: string, inner: Field): string => {
      const value = ask(part, inner)
      isComplete &&= value !== undefined
      return value ?? ''
    }
    const template = field.value || undefined
    const text =
      template === undefined
        ? fill(name, field)
        : template.replace(/\{([^{}]+)\}/g, (braces, part: string) => {
            const variable = Object.hasOwn(variables, part) ? variables[part] : undefined
            if (variable === undefined) return braces
            const isRequired = variable.isRequired || field.isRequired
            const isSecret = variable.isSecret || field.isSecret
            const { description } = field
            return fill(part, { description, ...variable, isRequired, isSecret })
          })
    const parts = text.split('\0').map((part, index) => (index % 2 === 0 ? literal(part) : part))
    return isComplete ? parts.join('') : undefined
  }

  function argumentOf(argument: Argument): string[] {
    const { type, name, valueHint, isRepeated, ...field } = argument
    if (type === 'named' && isBare(field)) return [name]
    const words: string[] = []
    turn = { at: 0, count: 1, isRepeated }
    for (; turn.at < (isRepeated ? turn.count : 1); turn.at++)
      words.push(...wordsOf(argument, textOf(type === 'named' ? name : valueHint, field)))
    turn = { at: 0, count: 1, isRepeated: false }
    return words
  }

  const argumentsOf = (list: readonly Argument[]) => list.flatMap(argumentOf)
  return { inputs, secrets, problems, textOf, argumentsOf }
}

/** The words of an argument on the command line. */
function wordsOf({ type, name, format }: Argument, text: string | undefined): string[] {
  if (text === undefined) return []
  if (type === 'positional') return [text]
  if (format === 'boolean') return text === 'true' ? [name] : []
  // A value like an option would be taken for one.
  return text.startsWith('-') ? [`${name}=${text}`] : [name, text]
}

/** An option without a value, such as `--rm`. */
function isBare({ variables: _, isRequired, isSecret, format, ...rest }: Template): boolean {
  const isPlain = !isRequired && !isSecret && format === 'string'
  return isPlain && Object.values(rest).every((member) => member === undefined)
}

function faultOf(value: string | undefined, field: Omit<Field, 'value'>): string | undefined {
  const { isRequired, choices, format } = field
  if (value === undefined) return isRequired ? 'is required' : undefined
  if (choices?.length && !choices.includes(value)) return `must be one of ${choices.join(', ')}`
  if (format === 'number' && !Number.isFinite(Number(value))) return 'must be a number'
  if (format === 'boolean' && !/^(?:true|false)$/.test(value)) return 'must be true or false'
  return undefined
}

/** What is started or connected to, and its variables or headers. */
export function launchOf({ command, args, url, env, headers }: Plan['entry']): string {
  const words = [command, ...((args ?? []) as string[])].map((word) =>
    /^[\w@%+=:,./-]+$/.test(String(word)) ? word : JSON.stringify(word),
  )
  const pairs = Object.entries({ ...Object(env), ...Object(headers) })
  const lines = pairs.map(([name, value]) => `${name}${env === undefined ? ': ' : '='}${value}`)
  return [url ?? words.join(' '), ...lines].map((line) => escaped(String(line))).join('\n')
}

/** What a terminal or a browser would obey, or not show. */
const escaped = (text: string): string =>
  text.replace(
    /[\p{C}\u2028\u2029]/gu,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16).toUpperCase()}}`,
  )
