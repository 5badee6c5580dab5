import { join, relative } from 'node:path'
import { asSentence } from '@pith-mcp/base/as-sentence'
import { countOf } from '@pith-mcp/base/count-of'
import { addressOf } from '@pith-mcp/server-kit/clients'
import type { Table } from '@pith-mcp/server-kit/files'
import type { Undone } from '../apply/undo-import.ts'
import type { HostEnvironment } from '../entry/host-environment.ts'
import type { Plan, PlannedConfig, PlannedServer, PlanOptions } from '../plan/plan.ts'

/** Describes a plan for the user to confirm. Prints the names of variables and headers, never values. */
export function renderPlan(plan: Plan, options: PlanOptions, host: HostEnvironment): string {
  const short = (path: string): string => shortPath(path, host.home)
  const moving = plan.locations.filter(({ isWaiting }) => !isWaiting)
  const sections = [
    ...moving.map((location) => renderConfig(location, options, short)),
    renderWaiting(plan.locations, short),
    renderRefused(plan, short),
    renderOwn(plan, moving, short),
    renderNeeds(plan, moving, host),
    renderSecrets(plan, options),
    plan.risks.map(mask),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

type Short = (path: string) => string

const titleOf = ({ file: { client, location } }: PlannedConfig): string =>
  location.product ?? client.title

function renderConfig(location: PlannedConfig, { copy }: PlanOptions, short: Short): string[] {
  const { file, servers, staying, remarks, ourEntry: entry } = location
  const isDone =
    servers.length === 0 &&
    entry?.change === 'unchanged' &&
    staying.every(({ name }) => name === entry.name)
  if (isDone || servers.length + staying.length === 0) return []
  const scope =
    file.location.folder !== undefined && file.location.at.length > 1
      ? `, for ${short(file.location.folder)}`
      : ''
  const link = file.path === file.location.file ? '' : ` -> ${short(file.path)}`
  return [
    `${titleOf(location)}: ${short(file.location.file)}${link}${scope}`,
    ...servers.flatMap((server) => renderServer(server, copy)),
    ...staying.map(({ name, reason }) => `  stays  ${mask(name)}: ${mask(asSentence(reason))}`),
    ...(entry === undefined ? [] : [`  entry  ${mask(entry.name)}, ${entry.change}`]),
    ...(copy ? [] : remarks.map((remark) => `  note   ${mask(remark)}`)),
  ]
}

const statusTexts = {
  new: '',
  existing: ', already in our file',
  same: ', the same as one above',
} as const

function renderServer(
  { from, name, entry, notes, status }: PlannedServer,
  copy: boolean,
): string[] {
  const renamed = from === name ? '' : ` as ${mask(name)}`
  return [
    `  ${copy ? 'copy ' : 'move '}  ${mask(from)}${renamed}${statusTexts[status]}: ${mask(showLaunch(entry))}`,
    ...notes.map((note) => `         ${mask(note)}`),
  ]
}

/** Nothing without any lines. */
const under = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]

const renderWaiting = (locations: readonly PlannedConfig[], short: Short): string[] =>
  under(
    'Servers of this folder are not moved. Include them with --project:',
    locations
      .filter(({ isWaiting, servers }) => isWaiting && servers.length > 0)
      .map((location) => {
        const names = location.servers.map(({ from }) => mask(from)).join(', ')
        return `${titleOf(location)}: ${short(location.file.location.file)}: ${names}`
      }),
  )

const renderRefused = ({ refused }: Plan, short: Short): string[] =>
  under(
    'Files left unchanged:',
    refused.map(
      ({ client, file, reason }) => `${client.title}: ${short(file)}: ${mask(asSentence(reason))}`,
    ),
  )

function renderOwn(plan: Plan, moving: readonly PlannedConfig[], short: Short): string[] {
  const servers = moving.flatMap(({ servers }) => servers)
  const count = (status: PlannedServer['status']): number =>
    servers.filter((server) => server.status === status).length
  const edit = plan.edits.find(({ path }) => path === plan.config)
  const change =
    edit === undefined ? 'unchanged' : edit.before === undefined ? 'created' : 'extended'
  const counts = [
    `${countOf(count('new'), 'server')} added`,
    ...(count('same') > 0 ? [`${count('same')} the same as another`] : []),
    ...(count('existing') > 0 ? [`${count('existing')} already there`] : []),
  ]
  return [`Our file ${short(plan.config)} is ${change}: ${counts.join(', ')}.`]
}

function renderNeeds(
  plan: Plan,
  moving: readonly PlannedConfig[],
  { variables: set }: HostEnvironment,
): string[] {
  const { variables } = plan.needs
  const all = moving.flatMap(({ servers }) => servers)
  const signedIn = all.filter(
    ({ entry }) =>
      entry['command'] === undefined &&
      !Object.keys((entry['headers'] ?? {}) as object).some((name) =>
        /^authorization$/i.test(name),
      ),
  )
  const unset = variables.filter((name) => !set[name])
  const unsure = new Set(
    moving
      .filter(({ ourEntry, file }) => ourEntry && !file.client.passesVariables)
      .map(({ file }) => file.client.title),
  )
  return [
    ...(variables.length > 0 ? [`Variables that servers use: ${variables.join(', ')}.`] : []),
    ...(unset.length > 0 ? [`Not set here: ${unset.join(', ')}.`] : []),
    ...(variables.length > 0 && unsure.size > 0
      ? [
          `They must be set in the environment of ${[...unsure].join(', ')} too, which passes them on to the aggregator.`,
        ]
      : []),
    ...(signedIn.length > 0
      ? [
          `Sign-ins are not moved. Sign in again where one is needed: ${[...new Set(signedIn.map(({ name }) => mask(name)))].join(', ')}.`,
        ]
      : []),
  ]
}

function renderSecrets({ secrets, where }: Plan, { keychain }: PlanOptions): string[] {
  const names = secrets.map(({ name }) => mask(name)).join(', ')
  if (secrets.length === 0) return []
  return [
    keychain
      ? `Stored in ${where}: ${names}.`
      : `Written in clear, as they are in your clients: ${names}. --keychain stores them in ${where} instead.`,
  ]
}

/** Names come from other programs: remove control characters before they reach the terminal. */
const mask = (text: string): string => text.replace(/\p{Cc}/gu, '?')

/** Programs whose first argument is another program. */
const runners = new Set(
  'npx npm pnpm bunx bun yarn uvx uv node deno python python3 pipx docker podman cmd'.split(' '),
)

/** Words before that program. */
const runnerWords = /^(?:-y|--yes|-i|--rm|-m|run|exec|dlx|tool|x|\/c|npx)$/

const programName = /^(?:@[\w.-]+\/)?[\w./~-]{1,60}(?:@[\w.^~-]{1,20})?$/

/** How a server is started or reached. Arguments may be secrets, so they are only counted. */
function showLaunch(entry: Table): string {
  const address = addressOf(entry)
  const launch = address === undefined ? showCommand(entry) : showAddress(address, entry['type'])
  const details = ['env', 'headers'].flatMap((key) => {
    const names = Object.keys((entry[key] ?? {}) as object)
    return names.length === 0 ? [] : [`${key} ${names.join(', ')}`]
  })
  const isOff = entry['disabled'] === true || entry['enabled'] === false
  const rules = ['allow', 'deny'].flatMap((key) =>
    Array.isArray(entry[key]) ? [`${key} ${countOf(entry[key].length, 'tool')}`] : [],
  )
  return [
    launch,
    ...details,
    ...rules,
    ...(entry['oauth'] ? ['oauth'] : []),
    ...(isOff ? ['off'] : []),
  ].join('; ')
}

function showCommand(entry: Table): string {
  const command = String(entry['command'])
  const [first = ''] = command.split(/\s/, 1)
  const args = Array.isArray(entry['args']) ? entry['args'].map(String) : []
  const words = [/^(?:\/|[A-Z]:\\)[^=]*$/i.test(command) ? command : first]
  if (runners.has(command.replace(/\.(?:cmd|exe)$/, ''))) {
    const program = args.findIndex((arg) => !runnerWords.test(arg))
    const name = nameOfProgram(args[program] ?? '')
    words.push(...args.slice(0, program < 0 ? args.length : program), ...(name ? [name] : []))
  }
  const rest = args.length - words.length + 1
  return rest > 0 ? `${words.join(' ')} (+${countOf(rest, 'argument')})` : words.join(' ')
}

/** The end of a long path; undefined for what may not be the name of a program. */
function nameOfProgram(arg: string): string | undefined {
  if (arg.startsWith('-')) return undefined
  if (programName.test(arg)) return arg
  const [, name] = /[/\\]([\w.-]{1,60})$/.exec(arg) ?? []
  return name && `…/${name}`
}

function showAddress(address: string, type: unknown): string {
  const url = address.replace(/\$\{[^}]*\}/g, 'variable')
  const isPlain = URL.canParse(url) && !/^\$\{/.test(address)
  const host = isPlain ? `${new URL(url).protocol}//${new URL(url).host}` : 'a URL with variables'
  return `${type === 'sse' ? 'sse' : 'http'} ${host}`
}

/** Describes what happened to each file. */
export function renderUndone({ at, files }: Undone, { home }: HostEnvironment): string {
  const lines = files.map(({ path, reason, copy, isRemoved }) => {
    const name = shortPath(path, home)
    if (reason !== undefined) return `  left      ${name}: ${reason}`
    const saved =
      copy === undefined ? '' : `; the overwritten version is in ${shortPath(copy, home)}`
    return `  ${isRemoved ? 'removed ' : 'restored'}  ${name}${saved}`
  })
  return `Import of ${at}:\n${lines.join('\n')}\n`
}

/** The path with `~` for the home folder. */
export function shortPath(path: string, home: string): string {
  const below = relative(home, path)
  return below === '' || below.startsWith('..') ? path : join('~', below)
}
